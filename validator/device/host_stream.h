#pragma once
// A stream on the host: a thread that does what it is given, in order. Giving never waits.

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "validator/device/device.h"

namespace heddle::device {

struct StreamTask {
  schedule::OpKind kind = schedule::OpKind::kCompute;
  std::uint32_t op = 0;
  std::uint32_t arg = 0;
  std::uint64_t number = 0;  // of a collective on its communicator
};

class HostStream {
 public:
  /// `work` runs on the stream's thread.
  explicit HostStream(std::function<void(const StreamTask&)> work);
  HostStream(const HostStream&) = delete;
  HostStream& operator=(const HostStream&) = delete;
  /// Ends after the task under way; the rest is dropped.
  ~HostStream();

  void give(const StreamTask& task);
  /// What was given and has not begun is dropped.
  void drop();
  bool idle() const { return done_.load() == given_.load(); }
  StreamProgress progress() const { return {op_.load(), running_.load()}; }

 private:
  void loop();

  std::function<void(const StreamTask&)> work_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<StreamTask> tasks_;
  bool ending_ = false;
  std::atomic<std::uint64_t> given_ = 0;
  std::atomic<std::uint64_t> done_ = 0;
  std::atomic<std::uint32_t> op_ = Id<void>::kNone;
  std::atomic<bool> running_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace heddle::device
