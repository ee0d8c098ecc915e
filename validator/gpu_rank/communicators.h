#pragma once
// The communicators of a schedule that a rank is in, those of its groups, joined through the other
// ranks: the first member of each group makes its unique id and tells it to all.

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "validator/device/assembly.h"
#include "validator/device/clock.h"
#include "validator/gpu/gpu.h"

namespace heddle::gpu_rank {

class Communicators {
 public:
  /// All must outlive it; `stopped` ends what waits.
  Communicators(gpu::Gpu& gpu, const schedule::Schedule& schedule, int rank,
                device::Assembly& assembly, const std::atomic<bool>& stopped,
                const device::Clock& clock);
  Communicators(const Communicators&) = delete;
  Communicators& operator=(const Communicators&) = delete;

  /// All ranks together. Waits until every one is whole.
  gpu::Problem join();
  bool joined() const { return joined_; }
  /// Position and size of this rank; the rank must be a member.
  int position(std::size_t communicator) const;
  int size(std::size_t communicator) const;
  gpu::Problem run(std::size_t communicator, gpu::Stream stream, const gpu::CollectiveCall& call);
  /// An asynchronous error of any.
  gpu::Problem failure() const;
  /// Their streams must be idle. Does nothing after an abort.
  void leave();
  /// May never return. What others still ask of them is answered with kAborted.
  void abort();

 private:
  gpu::Problem offer_ids(std::string& offers);
  gpu::Problem join(std::size_t communicator, const gpu::UniqueId& id);
  gpu::Problem settle(std::size_t communicator) const;
  gpu::Problem ask(std::size_t communicator, bool& settled) const;

  gpu::Gpu& gpu_;
  const schedule::Schedule& schedule_;
  int rank_;
  device::Assembly& assembly_;
  const std::atomic<bool>& stopped_;
  const device::Clock& clock_;
  std::atomic<bool> joined_ = false;
  mutable std::mutex mutex_;  // of what follows: nobody uses what is being aborted
  bool aborted_ = false;
  std::vector<gpu::Communicator> all_;  // nullptr: not a member, or not joined
};

}  // namespace heddle::gpu_rank
