#include "sim/allocator/replay.h"

#include <algorithm>
#include <utility>

#include "sim/allocator/caching_allocator.h"
#include "sim/base/check.h"

namespace heddle::allocator {
namespace {

using Kind = TraceEvent::Kind;

/// One pass over the first events of a trace.
class Pass {
 public:
  Pass(const Trace& trace, const ReplayOptions& options)
      : trace_(trace),
        keep_timeline_(options.keep_timeline),
        device_(options.capacity),
        allocator_(options.config, device_),
        blocks_(trace.allocations, kNoBlock),
        uses_(trace.allocations) {}

  void run(std::size_t count) {
    for (at_ = 0; at_ < count; ++at_) apply(trace_.events[at_]);
  }
  ReplayResult take() {
    out_.stats = allocator_.stats();
    return std::move(out_);
  }
  std::vector<SegmentView> segments() const { return allocator_.snapshot(); }

 private:
  void apply(const TraceEvent& event);
  void allocate(const TraceEvent& event);
  void free(const TraceEvent& event);
  void note(const TraceEvent& event);
  ReplayMoment moment(SimTime time) const {
    const AllocatorStats& stats = allocator_.stats();
    return {at_, time, stats.allocated.current, stats.active.current, stats.reserved.current};
  }

  const Trace& trace_;
  bool keep_timeline_;
  LimitedDevice device_;
  CachingAllocator allocator_;
  std::vector<BlockIndex> blocks_;            // by allocation
  std::vector<std::vector<StreamUse>> uses_;  // by allocation; empty for nearly all
  std::size_t at_ = 0;
  ReplayResult out_;
};

void Pass::allocate(const TraceEvent& event) {
  BlockIndex block = allocator_.allocate(event.bytes, event.stream, event.time, event.id);
  if (block == kNoBlock) {
    if (!out_.out_of_memory) {
      out_.out_of_memory = ReplayFailure{moment(event.time), event.bytes, event.stream};
    }
    device_.set_capacity(kUnlimited);
    block = allocator_.allocate(event.bytes, event.stream, event.time, event.id);
  }
  HEDDLE_CHECK(block != kNoBlock, "a device without limit is full");
  blocks_[event.id] = block;
}

void Pass::free(const TraceEvent& event) {
  allocator_.free(blocks_[event.id], uses_[event.id]);
  blocks_[event.id] = kNoBlock;
}

void Pass::note(const TraceEvent& event) {
  const ReplayMoment now = moment(event.time);
  if (now.allocated > out_.peak_allocated.allocated) out_.peak_allocated = now;
  if (now.active > out_.peak_active.active) out_.peak_active = now;
  if (now.reserved > out_.peak_reserved.reserved) out_.peak_reserved = now;
  if (keep_timeline_) out_.timeline.push_back(now);
}

void Pass::apply(const TraceEvent& event) {
  switch (event.kind) {
    case Kind::kAlloc:
      allocate(event);
      note(event);
      break;
    case Kind::kFree:
      free(event);
      note(event);
      break;
    case Kind::kUse:
      uses_[event.id].push_back({event.stream, event.time});
      break;
    case Kind::kSegmentAlloc:
    case Kind::kSegmentFree:
      break;
  }
}

std::optional<RecordedReserved> recorded_reserved(const Trace& trace) {
  RecordedReserved out{trace.reserved_before, {}, trace.reserved_before};
  bool any = trace.reserved_before.value > 0;
  for (const TraceEvent& event : trace.events) {
    if (event.kind != Kind::kSegmentAlloc && event.kind != Kind::kSegmentFree) continue;
    any = true;
    event.kind == Kind::kSegmentAlloc ? out.last += event.bytes : out.last -= event.bytes;
    if (out.last <= out.peak) continue;
    out.peak = out.last;
    out.peak_time = event.time;
  }
  if (!any) return std::nullopt;
  return out;
}

/// Requests alive right after event `last`.
std::vector<AliveBlock> alive_after(const Trace& trace, std::size_t last) {
  std::vector<AliveBlock> by_id(trace.allocations);
  for (std::size_t i = 0; i <= last && i < trace.events.size(); ++i) {
    const TraceEvent& event = trace.events[i];
    if (event.kind == Kind::kAlloc) {
      by_id[event.id] = {event.id, event.bytes, event.stream, event.time};
    }
    if (event.kind == Kind::kFree) by_id[event.id] = {};
  }
  std::erase_if(by_id, [](const AliveBlock& block) { return block.requested.value == 0; });
  std::stable_sort(by_id.begin(), by_id.end(), [](const AliveBlock& a, const AliveBlock& b) {
    return a.requested > b.requested;
  });
  return by_id;
}

}  // namespace

ReplayResult replay(const Trace& trace, const ReplayOptions& options) {
  Pass whole(trace, options);
  whole.run(trace.events.size());
  ReplayResult result = whole.take();
  result.recorded = recorded_reserved(trace);
  if (trace.events.empty()) return result;
  result.largest = alive_after(trace, result.peak_allocated.event);
  result.alive = result.largest.size();
  result.largest.resize(std::min(result.alive, options.top_blocks));
  Pass until_peak(trace, options);
  until_peak.run(result.peak_reserved.event + 1);
  result.segments = until_peak.segments();
  return result;
}

}  // namespace heddle::allocator
