#include "sim/engine/replay_cache.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "sim/engine/allocator_replay.h"
#include "sim/engine/executor.h"
#include "sim/engine/stream_uses.h"

namespace heddle::engine {
namespace {

using schedule::OpKind;

constexpr std::size_t kMostKnown = 64;  // ranks that all differ gain nothing

/// Uses of blocks by other streams, until an allocation finds them done.
class PendingUses {
 public:
  void add(std::uint16_t stream, SimTime done) {
    queues_[stream].waiting.push_back({done, static_cast<std::uint32_t>(found_.size())});
    found_.push_back(std::numeric_limits<std::uint32_t>::max());
  }
  void allocate(SimTime now, std::uint32_t memory_op) {
    for (Queue& queue : queues_) {
      while (queue.next < queue.waiting.size() && queue.waiting[queue.next].first <= now) {
        found_[queue.waiting[queue.next++].second] = memory_op;
      }
    }
  }
  std::vector<std::uint32_t> take() { return std::move(found_); }

 private:
  struct Queue {
    std::vector<std::pair<SimTime, std::uint32_t>> waiting;
    std::size_t next = 0;
  };
  std::array<Queue, schedule::kStreamCount> queues_;
  std::vector<std::uint32_t> found_;  // memory op, by use
};

/// By use, in program order: the memory op that finds it done.
std::vector<std::uint32_t> found_done(const schedule::Schedule& schedule, const RankState& rank) {
  const bool any = std::any_of(schedule.buffers.begin(), schedule.buffers.end(),
                               [](const schedule::Buffer& buffer) { return buffer.used_by != 0; });
  if (!any) return {};
  StreamUses uses(rank);
  PendingUses pending;
  std::uint32_t memory_op = 0;
  for (const schedule::Op& op : rank.program->ops) {
    if (is_issued(op.kind)) {
      uses.issue(op.stream);
    } else if (op.kind == OpKind::kAlloc) {
      pending.allocate(rank.memory_times[memory_op], memory_op);
      ++memory_op;
    } else if (op.kind == OpKind::kFree) {
      const schedule::Buffer& buffer = schedule.buffers[op.arg];
      for (const allocator::StreamUse& use : uses.of(buffer)) {
        if (use.stream != static_cast<std::uint16_t>(buffer.stream)) {
          pending.add(use.stream, use.done);
        }
      }
      ++memory_op;
    }
  }
  return pending.take();
}

std::vector<AllocatorSample*> samples_of(AllocatorResult& result) {
  std::vector<AllocatorSample*> all = {&result.peak_active, &result.peak_reserved};
  for (auto* several : {&result.step_peak_active, &result.step_peak_reserved, &result.marks}) {
    for (AllocatorSample& sample : *several) all.push_back(&sample);
  }
  if (result.out_of_memory) all.push_back(&result.out_of_memory->state);
  return all;
}

/// The times at which this rank's host was at the samples' ops.
void retime(const RankState& rank, const std::vector<SimTime>& marks, AllocatorResult& result) {
  std::vector<AllocatorSample*> samples = samples_of(result);
  std::sort(samples.begin(), samples.end(),
            [](const auto* a, const auto* b) { return a->op < b->op; });
  std::size_t memory_op = 0;
  std::size_t mark = 0;
  std::uint32_t at = 0;
  for (AllocatorSample* sample : samples) {
    for (; at < sample->op; ++at) {
      const OpKind kind = rank.program->ops[at].kind;
      memory_op += kind == OpKind::kAlloc || kind == OpKind::kFree;
      mark += kind == OpKind::kMark;
    }
    const OpKind kind = rank.program->ops[at].kind;
    if (kind == OpKind::kMark) sample->time = marks[mark];
    if (kind == OpKind::kAlloc || kind == OpKind::kFree)
      sample->time = rank.memory_times[memory_op];
  }
}

}  // namespace

std::shared_ptr<const ReplayCache::Known> ReplayCache::find(const Known& wanted) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(known_.begin(), known_.end(), [&](const auto& known) {
    return known->program == wanted.program && known->allocator == wanted.allocator &&
           known->memory_limit == wanted.memory_limit && known->found_done == wanted.found_done;
  });
  return found == known_.end() ? nullptr : *found;
}

AllocatorResult ReplayCache::replay(const schedule::Schedule& schedule, const RankState& rank,
                                    const std::vector<SimTime>& marks,
                                    const ExecutorOptions& options) {
  if (options.record_intervals || rank.program->ops.empty()) {
    return replay_allocator(schedule, rank, marks, options);
  }
  Known wanted{
      rank.program, options.allocator, options.memory_limit, found_done(schedule, rank), {}};
  if (const auto known = find(wanted)) {
    AllocatorResult result = known->result;
    retime(rank, marks, result);
    return result;
  }
  wanted.result = replay_allocator(schedule, rank, marks, options);
  AllocatorResult result = wanted.result;
  const std::lock_guard lock(mutex_);
  if (known_.size() < kMostKnown)
    known_.push_back(std::make_shared<const Known>(std::move(wanted)));
  return result;
}

}  // namespace heddle::engine
