#include "sim/engine/step_ledger.h"

#include <algorithm>

namespace heddle::engine {
namespace {

ExposedPart& part_of(StepAccounting& step, std::uint32_t collective) {
  const auto found = std::find_if(step.exposed.begin(), step.exposed.end(),
                                  [&](const ExposedPart& p) { return p.collective == collective; });
  if (found != step.exposed.end()) return *found;
  return step.exposed.emplace_back(ExposedPart{collective, {}, {}, {}});
}

}  // namespace

void StepLedger::add(const Segment& segment, Duration time, StepAccounting& step) {
  switch (segment.cause) {
    case Cause::kCompute:
      step.compute += time;
      return;
    case Cause::kHost:
      step.host += time;
      return;
    case Cause::kOther:
      step.other += time;
      return;
    case Cause::kExposedComm:
      break;
  }
  step.exposed_comm += time;
  ExposedPart& part = part_of(step, segment.collective);
  part.time += time;
  if (segment.stage == Stage::kLate) part.late += time;
  if (segment.stage == Stage::kQueued) part.queued += time;
}

void StepLedger::host_blocked(SimTime from, SimTime until, CommCallId call) {
  if (from < until) blocks_.push_back({from, until, call});
}

void StepLedger::extend(const Segment& segment) {
  if (segment.end <= end_) return;
  end_ = segment.end;
  if (!segments_.empty() && segments_.back().like(segment)) {
    segments_.back().end = segment.end;
  } else {
    segments_.push_back(segment);
  }
}

/// A wait for a collective is for what this rank has before it, then for its last rank, then for
/// its turn, then for its bytes.
void StepLedger::extend_wait(SimTime end, CommCallId id) {
  if (id == kNoCall) return extend({end, Cause::kOther});
  const CommCall& call = calls_[id - 1];
  extend({std::min(end, call.ready), Cause::kExposedComm, Stage::kOwn, call.collective});
  extend({std::min(end, call.arrived), Cause::kExposedComm, Stage::kLate, call.collective});
  extend({std::min(end, call.started), Cause::kExposedComm, Stage::kQueued, call.collective});
  extend({end, Cause::kExposedComm, Stage::kOwn, call.collective});
}

/// Host time up to `end`, less the parts in which the host itself was waiting.
void StepLedger::extend_host(SimTime end) {
  for (; next_block_ < blocks_.size(); ++next_block_) {
    const HostBlock& block = blocks_[next_block_];
    if (block.from >= end) break;
    extend({block.from, Cause::kHost});
    extend_wait(std::min(block.until, end), block.call);
    if (block.until > end) break;
  }
  extend({end, Cause::kHost});
}

void StepLedger::work(SimTime ready, SimTime start, SimTime end, CommCallId call) {
  if (start > end_) {
    extend_host(std::min(ready, start));
    extend_wait(start, waited_for_);
  }
  if (call == kNoCall) {
    extend({end, Cause::kCompute});
  } else {
    extend_wait(end, call);
  }
  waited_for_ = kNoCall;
}

void StepLedger::close(SimTime host_end, SimTime end, CommCallId call) {
  extend_host(host_end);
  extend_wait(end, call);
}

std::vector<StepAccounting> StepLedger::steps(SimTime begin,
                                              const std::vector<SimTime>& ends) const {
  std::vector<StepAccounting> result(ends.size());
  auto segment = segments_.begin();
  auto slowdown = slowdowns_.begin();
  for (std::size_t s = 0; s < ends.size(); ++s) {
    StepAccounting& step = result[s];
    step.begin = begin;
    step.step = ends[s] - begin;
    for (; slowdown != slowdowns_.end() && slowdown->end <= ends[s]; ++slowdown) {
      step.slowed += slowdown->by;
    }
    while (segment != segments_.end() && begin < ends[s]) {
      const SimTime until = std::min(segment->end, ends[s]);
      if (until > begin) {
        add(*segment, until - begin, step);
        begin = until;
      }
      if (segment->end > ends[s]) break;
      ++segment;
    }
    begin = ends[s];
  }
  return result;
}

}  // namespace heddle::engine
