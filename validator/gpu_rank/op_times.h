#pragma once
// When ops ran, by events of the GPU around each on its own stream, on the host's clock.
//
//   time of an event   moment of the base event + elapsed(base, event)
//   base               recorded on an idle stream; its moment is the host's just before, of the
//                      quickest of a few tries: early by at most what uncertainty() says

#include <array>
#include <mutex>
#include <vector>

#include "validator/device/clock.h"
#include "validator/device/device.h"
#include "validator/gpu_rank/event_pool.h"
#include "validator/gpu_rank/gpu_memory.h"

namespace heddle::gpu_rank {

class OpTimes {
 public:
  /// All must outlive it.
  OpTimes(gpu::Gpu& gpu, const device::Clock& clock) : gpu_(gpu), clock_(clock), pool_(gpu, true) {}
  OpTimes(const OpTimes&) = delete;
  OpTimes& operator=(const OpTimes&) = delete;
  ~OpTimes() { clear(); }

  /// Forgets the last run and finds the base anew; `idle` is an idle stream.
  gpu::Problem begin(gpu::Stream idle);
  gpu::Problem start(std::uint32_t op, schedule::StreamKind kind, gpu::Stream stream);
  gpu::Problem end(schedule::StreamKind kind, gpu::Stream stream);
  /// An op of which only the end is of interest.
  gpu::Problem only_end(std::uint32_t op, schedule::StreamKind kind, gpu::Stream stream);
  /// All of them, in the order of start per stream; the streams must be idle.
  gpu::Problem take(std::vector<device::OpTime>& times);
  /// From any thread.
  std::array<device::StreamProgress, schedule::kStreamCount> progress() const;
  std::int64_t uncertainty_ns() const { return uncertainty_ns_; }

 private:
  struct Entry {
    std::uint32_t op = 0;
    gpu::Event start = nullptr;
    gpu::Event end = nullptr;
    bool whole = false;  // its end is recorded: an event from the last run is not taken for it
  };
  struct Lane {
    std::vector<Entry> entries;
    std::size_t seen = 0;  // entries whose end was reached
  };
  void clear();
  gpu::Problem try_base(gpu::Stream idle, std::int64_t& before, std::int64_t& window);
  gpu::Problem mark(gpu::Event& event, gpu::Stream stream);
  device::StreamProgress progress_of(Lane& lane) const;
  Lane& lane(schedule::StreamKind kind) { return lanes_[static_cast<std::size_t>(kind)]; }

  gpu::Gpu& gpu_;
  const device::Clock& clock_;
  EventPool pool_;
  gpu::Event base_ = nullptr;
  std::int64_t base_ns_ = 0;
  std::int64_t uncertainty_ns_ = 0;
  mutable std::mutex mutex_;  // of lanes_
  mutable std::array<Lane, schedule::kStreamCount> lanes_;
};

}  // namespace heddle::gpu_rank
