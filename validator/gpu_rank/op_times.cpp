#include "validator/gpu_rank/op_times.h"

#include <limits>

namespace heddle::gpu_rank {
namespace {

using device::OpTime;
using gpu::Problem;

constexpr int kTries = 5;
constexpr std::int64_t kMostNs = 5'000'000'000;  // for an event on an idle stream

}  // namespace

void OpTimes::clear() {
  for (Lane& lane : lanes_) {
    for (const Entry& entry : lane.entries) {
      if (entry.start != nullptr) pool_.give_back(entry.start);
      pool_.give_back(entry.end);
    }
    lane = {};
  }
  if (base_ != nullptr) pool_.give_back(base_);
  base_ = nullptr;
}

Problem OpTimes::mark(gpu::Event& event, gpu::Stream stream) {
  if (auto problem = pool_.take(event)) return problem;
  return gpu_.record(event, stream);
}

/// Records the base once more.
Problem OpTimes::try_base(gpu::Stream idle, std::int64_t& before, std::int64_t& window) {
  before = clock_.now_ns();
  if (auto problem = gpu_.record(base_, idle)) return problem;
  for (bool reached = false; !reached;) {
    if (auto problem = gpu_.query(base_, reached)) return problem;
    if (clock_.now_ns() - before > kMostNs) {
      return device::Failure{device::FailureKind::kTimeout, "an idle stream does not move"};
    }
  }
  window = clock_.now_ns() - before;
  return std::nullopt;
}

/// The tries before the last tell how quick a stream can be; the last one counts.
Problem OpTimes::begin(gpu::Stream idle) {
  const std::lock_guard lock(mutex_);
  clear();
  if (auto problem = pool_.take(base_)) return problem;
  std::int64_t quickest = std::numeric_limits<std::int64_t>::max();
  for (int i = 0; i < 3 * kTries; ++i) {
    std::int64_t window = 0;
    if (auto problem = try_base(idle, base_ns_, window)) return problem;
    uncertainty_ns_ = window;
    if (i >= kTries && window <= 2 * quickest) break;
    quickest = std::min(quickest, window);
  }
  return std::nullopt;
}

Problem OpTimes::start(std::uint32_t op, schedule::StreamKind kind, gpu::Stream stream) {
  Entry entry{op, nullptr, nullptr, false};
  if (auto problem = mark(entry.start, stream)) return problem;
  if (auto problem = pool_.take(entry.end)) return problem;
  const std::lock_guard lock(mutex_);
  lane(kind).entries.push_back(entry);
  return std::nullopt;
}

Problem OpTimes::end(schedule::StreamKind kind, gpu::Stream stream) {
  const std::lock_guard lock(mutex_);
  Entry& entry = lane(kind).entries.back();
  entry.whole = true;
  return gpu_.record(entry.end, stream);
}

Problem OpTimes::only_end(std::uint32_t op, schedule::StreamKind kind, gpu::Stream stream) {
  Entry entry{op, nullptr, nullptr, true};
  if (auto problem = mark(entry.end, stream)) return problem;
  const std::lock_guard lock(mutex_);
  lane(kind).entries.push_back(entry);
  return std::nullopt;
}

Problem OpTimes::take(std::vector<OpTime>& times) {
  const std::lock_guard lock(mutex_);
  for (std::size_t s = 0; s < lanes_.size(); ++s) {
    for (const Entry& entry : lanes_[s].entries) {
      OpTime time{entry.op, static_cast<schedule::StreamKind>(s), 0, 0};
      if (auto problem = gpu_.elapsed(base_, entry.end, time.end_ns)) return problem;
      time.start_ns = time.end_ns;
      if (entry.start != nullptr) {
        if (auto problem = gpu_.elapsed(base_, entry.start, time.start_ns)) return problem;
      }
      time.start_ns += base_ns_;
      time.end_ns += base_ns_;
      times.push_back(time);
    }
  }
  return std::nullopt;
}

/// An event that cannot be asked counts as not reached.
device::StreamProgress OpTimes::progress_of(Lane& lane) const {
  const auto reached = [this](gpu::Event event) {
    bool is = false;
    return event != nullptr && !gpu_.query(event, is) && is;
  };
  device::StreamProgress progress;
  if (lane.seen > 0) progress.op = lane.entries[lane.seen - 1].op;
  for (; lane.seen < lane.entries.size(); ++lane.seen) {
    const Entry& entry = lane.entries[lane.seen];
    if (!reached(entry.start)) break;
    progress.op = entry.op;
    progress.running = !entry.whole || !reached(entry.end);
    if (progress.running) break;
  }
  return progress;
}

std::array<device::StreamProgress, schedule::kStreamCount> OpTimes::progress() const {
  const std::lock_guard lock(mutex_);
  std::array<device::StreamProgress, schedule::kStreamCount> all;
  for (std::size_t s = 0; s < all.size(); ++s) all[s] = progress_of(lanes_[s]);
  return all;
}

}  // namespace heddle::gpu_rank
