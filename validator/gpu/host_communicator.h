#pragma once
// A communicator of the host side: device::Exchange over a file that all members map, found by the
// unique id. Members may be threads or processes of one machine.

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "validator/device/exchange.h"
#include "validator/device/region.h"
#include "validator/gpu/gpu.h"

namespace heddle::gpu {

/// A name for the file in `folder`, never given twice.
UniqueId host_unique_id(const std::string& folder);

class HostCommunicator {
 public:
  /// Joins in a thread of its own.
  HostCommunicator(const UniqueId& id, int size, int position);
  HostCommunicator(const HostCommunicator&) = delete;
  HostCommunicator& operator=(const HostCommunicator&) = delete;
  ~HostCommunicator();

  /// Blocks the stream that runs it; the n-th call of each member is the same collective.
  void run(const CollectiveCall& call);
  void abort();
  bool joined() const { return joined_.load(); }
  Problem failure() const;

 private:
  void join(const std::string& path);
  void fail(device::Failure failure);

  schedule::Schedule alone_;  // nothing but this communicator: what the exchange wants to see
  int position_;
  std::unique_ptr<device::SharedRegion> region_;
  std::unique_ptr<device::Exchange> exchange_;
  std::uint64_t number_ = 0;
  std::atomic<bool> joined_ = false;
  std::atomic<bool> aborted_ = false;
  mutable std::mutex mutex_;
  Problem failure_;
  std::thread joining_;
};

}  // namespace heddle::gpu
