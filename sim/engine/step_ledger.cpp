#include "sim/engine/step_ledger.h"

#include <algorithm>

namespace heddle::engine {
namespace {

Duration& part(StepAccounting& step, Cause cause) {
  switch (cause) {
    case Cause::kCompute:
      return step.compute;
    case Cause::kExposedComm:
      return step.exposed_comm;
    case Cause::kHost:
      return step.host;
    case Cause::kOther:
      break;
  }
  return step.other;
}

Cause waiting_for(bool comm) {
  return comm ? Cause::kExposedComm : Cause::kOther;
}

}  // namespace

void StepLedger::host_blocked(SimTime from, SimTime until, bool comm) {
  if (from < until) blocks_.push_back({from, until, comm});
}

void StepLedger::extend(SimTime end, Cause cause) {
  if (end <= end_) return;
  end_ = end;
  if (!segments_.empty() && segments_.back().cause == cause) {
    segments_.back().end = end;
  } else {
    segments_.push_back({end, cause});
  }
}

/// Host time up to `end`, less the parts in which the host itself was waiting.
void StepLedger::extend_host(SimTime end) {
  for (; next_block_ < blocks_.size(); ++next_block_) {
    const HostBlock& block = blocks_[next_block_];
    if (block.from >= end) break;
    extend(block.from, Cause::kHost);
    extend(std::min(block.until, end), waiting_for(block.comm));
    if (block.until > end) break;
  }
  extend(end, Cause::kHost);
}

void StepLedger::work(SimTime ready, SimTime start, SimTime end, Cause cause) {
  if (start > end_) {
    extend_host(std::min(ready, start));
    extend(start, waiting_for(waited_for_comm_));
  }
  extend(end, cause);
  waited_for_comm_ = false;
}

void StepLedger::close(SimTime host_end, SimTime end, Cause cause) {
  extend_host(host_end);
  extend(end, cause);
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
        part(step, segment->cause) += until - begin;
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
