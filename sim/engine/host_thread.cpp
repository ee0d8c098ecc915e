#include "sim/engine/host_thread.h"

#include <algorithm>

namespace heddle::engine {

using schedule::OpKind;

void HostThread::charge(const schedule::Op& op, HostState& host) const {
  host.time += model_.per_dispatch * op.dispatches;
  if (op.kind == OpKind::kCollective) host.time += model_.per_collective;
}

bool HostThread::begins_step(const schedule::Op& op) const {
  return schedule_.marks[op.arg].kind == schedule::Mark::Kind::kStepBegin;
}

void HostThread::pass_mark(const schedule::Op& op, RankState& rank) const {
  const SimTime now = rank.host.time;
  rank.marks.push_back(now);
  switch (schedule_.marks[op.arg].kind) {
    case schedule::Mark::Kind::kStepBegin:
      if (!rank.first_begin) rank.first_begin = now;
      rank.memory.begin_step(now, rank.host.next);
      break;
    case schedule::Mark::Kind::kAfterOptimizer:
      rank.memory.note_resident(now, rank.host.next);
      break;
    case schedule::Mark::Kind::kStepEnd:
      rank.step_ends.push_back({now, {}});
      for (std::size_t s = 0; s < rank.streams.size(); ++s) {
        rank.step_ends.back().issued[s] = rank.streams[s].issued;
      }
      break;
  }
}

void HostThread::perform(std::uint32_t rank_class, RankState& rank) {
  const schedule::Op& op = rank.program->ops[rank.host.next];
  const SimTime now = rank.host.time;
  switch (op.kind) {
    case OpKind::kAlloc:
      rank.memory_times.push_back(now);
      rank.memory.allocate(now, rank.host.next, schedule_.buffer(schedule::BufferId{op.arg}));
      break;
    case OpKind::kFree:
      rank.memory_times.push_back(now);
      rank.memory.free(now, rank.host.next, schedule_.buffer(schedule::BufferId{op.arg}));
      break;
    case OpKind::kMark:
      pass_mark(op, rank);
      if (begins_step(op)) rank.host.time += model_.per_step;
      break;
    case OpKind::kHostWork:
    case OpKind::kHostWait:
      break;
    case OpKind::kCompute:
    case OpKind::kCollective:
    case OpKind::kRecord:
    case OpKind::kWait: {
      StreamState& stream = rank.streams[static_cast<std::size_t>(op.stream)];
      stream.issued_at[stream.issued++] = now;
      return;  // an event only when the stream gets there
    }
  }
  fingerprint_.add(now, static_cast<std::uint32_t>(op.kind), rank_class, rank.host.next);
}

/// Whether the GPU has to get further before the op is performed; then `host` says what for.
bool HostThread::must_wait(const schedule::Op& op, RankState& rank) const {
  HostState& host = rank.host;
  if (op.kind == OpKind::kHostWait) {
    StreamEvent& event = rank.events[op.arg];
    if (!event.pending()) return false;
    event.waiters |= 1U << schedule::kStreamCount;
    host.waiting = true;
    return true;
  }
  if (model_.run_ahead == 0 || !runs_on_stream(op.kind)) return false;
  StreamState& stream = rank.streams[static_cast<std::size_t>(op.stream)];
  const std::uint32_t done = stream.done_before_issue(model_.run_ahead);
  if (done > stream.next) {
    host.behind = done;
    host.stream = static_cast<std::uint8_t>(op.stream);
    return true;
  }
  if (done > 0) host.time = std::max(host.time, stream.done_at[done - 1]);
  return false;
}

void HostThread::run(std::uint32_t rank_class, RankState& rank) {
  const std::vector<schedule::Op>& ops = rank.program->ops;
  HostState& host = rank.host;
  for (; host.next < ops.size(); ++host.next) {
    const schedule::Op& op = ops[host.next];
    charge(op, host);
    if (must_wait(op, rank)) return;
    perform(rank_class, rank);
  }
}

void HostThread::stop_waiting(const schedule::Op& op, RankState& rank) const {
  HostState& host = rank.host;
  if (host.waiting) {
    const StreamEvent& event = rank.events[op.arg];
    rank.ledger.host_blocked(host.time, event.completed, event.after);
    host.time = std::max(host.time, event.completed);
  } else {
    const StreamState& stream = rank.streams[host.stream];
    const SimTime done = stream.done_at[host.behind - 1];
    rank.ledger.host_blocked(host.time, done, stream.after);
    host.time = std::max(host.time, done);
  }
  host.waiting = false;
  host.behind = 0;
}

void HostThread::wake(std::uint32_t rank_class, RankState& rank) {
  HostState& host = rank.host;
  stop_waiting(rank.program->ops[host.next], rank);
  perform(rank_class, rank);
  ++host.next;
  run(rank_class, rank);
}

}  // namespace heddle::engine
