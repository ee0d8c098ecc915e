#include "sim/engine/stream_runner.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/check.h"
#include "sim/engine/kernel_pace.h"

namespace heddle::engine {
namespace {

using schedule::kStreamCount;
using schedule::OpKind;

constexpr std::uint32_t kHostWaiter = kStreamCount;
constexpr std::uint32_t kWaiters = kStreamCount + 1;

}  // namespace

StreamRunner::StreamRunner(const schedule::Schedule& schedule, const CostTable& costs, bool record,
                           EventQueue& queue, Transfers& transfers, Fingerprint& fingerprint)
    : schedule_(schedule),
      costs_(costs),
      record_(record),
      queue_(queue),
      transfers_(transfers),
      fingerprint_(fingerprint),
      host_(schedule, costs.host, fingerprint) {}

void StreamRunner::add_rank(const RankClass& rank_class, const ProgramIndex& index) {
  ranks_.emplace_back(schedule_, rank_class, index, record_);
}

StreamRunner::Place StreamRunner::place(std::uint32_t number) {
  const std::uint32_t rank_class = number / kStreamCount;
  const std::uint32_t kind = number % kStreamCount;
  RankState& rank = ranks_[rank_class];
  return {number, rank_class, kind, rank, rank.streams[kind]};
}

void StreamRunner::begin() {
  for (std::uint32_t c = 0; c < ranks_.size(); ++c) {
    host_.run(c, ranks_[c]);
    for (std::uint32_t s = 0; s < kStreamCount; ++s) woken_.push_back(c * kWaiters + s);
  }
  drain(SimTime{});
}

/// Puts what can go on into the worklist and works it off, first come first served.
void StreamRunner::drain(SimTime now) {
  for (std::size_t i = 0; i < woken_.size(); ++i) resume(woken_[i], now);  // grows while we walk
  woken_.clear();
}

void StreamRunner::resume(std::uint32_t waiter, SimTime now) {
  const std::uint32_t rank_class = waiter / kWaiters;
  const std::uint32_t kind = waiter % kWaiters;
  if (kind == kHostWaiter) {
    host_.wake(rank_class, ranks_[rank_class]);
    for (std::uint32_t s = 0; s < kStreamCount; ++s) woken_.push_back(rank_class * kWaiters + s);
    return;
  }
  const Place at = place(rank_class * kStreamCount + kind);
  if (at.stream.busy && at.stream.head().kind == OpKind::kWait) {
    const StreamEvent& event = at.rank.events[at.stream.head().arg];
    if (!event.pending()) pass_wait(at, at.stream.started, event);
  }
  advance(at, now);
}

void StreamRunner::advance(const Place& at, SimTime now) {
  while (!at.stream.busy && at.stream.next < at.stream.issued) start_head(at, now);
}

void StreamRunner::start_head(const Place& at, SimTime now) {
  StreamState& stream = at.stream;
  const SimTime ready = at.ready(costs_.launch_latency);
  if (ready > stream.free) stream.after = kNoCall;  // the host is what holds it up
  const SimTime start = std::max(stream.free, ready);
  stream.busy = true;
  stream.started = start;
  switch (stream.head().kind) {
    case OpKind::kCompute:
      start_compute(at, start);
      break;
    case OpKind::kCollective:
      transfers_.arrive(stream.head(), {at.number, start});
      break;
    case OpKind::kWait:
      start_wait(at, start);
      break;
    default:  // kRecord: index_program() lets nothing else in
      if (start > now) {
        queue_.push(start, EventPhase::kOpFinish, at.number, ++stream.version);
      } else {
        complete_record(at, start);
      }
  }
}

void StreamRunner::start_compute(const Place& at, SimTime start) {
  start_pace(at.stream, at.rank, start, costs_);
  plan_end(at);
}

void StreamRunner::plan_end(const Place& at) {
  queue_.push(planned_end(at.stream, at.rank, costs_), EventPhase::kOpFinish, at.number,
              ++at.stream.version);
}

/// What runs beside the rank's kernels has changed.
void StreamRunner::replan(std::uint32_t rank_class) {
  for (std::uint32_t kind = 0; kind < kStreamCount; ++kind) {
    const Place at = place(rank_class * kStreamCount + kind);
    if (runs_kernel(at.stream)) plan_end(at);
  }
}

void StreamRunner::begin_collective(const Transfers::Started& started, SimTime now) {
  for (const Arrival& arrival : started.arrivals) {
    const std::uint32_t rank_class = arrival.stream / kStreamCount;
    book_progress(ranks_[rank_class], costs_, now);
    ranks_[rank_class].beside.push_back(started.entry);
    replan(rank_class);
  }
}

void StreamRunner::leave_beside(std::uint32_t rank_class, std::uint32_t entry, SimTime now) {
  std::vector<std::uint32_t>& beside = ranks_[rank_class].beside;
  const auto found = std::find(beside.begin(), beside.end(), entry);
  if (found == beside.end()) return;  // instantaneous: it never took anything
  book_progress(ranks_[rank_class], costs_, now);
  beside.erase(found);
  replan(rank_class);
}

bool StreamRunner::current(const Event& finish) {
  return place(finish.subject).stream.version == finish.version;
}

void StreamRunner::start_wait(const Place& at, SimTime start) {
  StreamEvent& event = at.rank.events[at.stream.head().arg];
  if (event.pending()) {
    event.waiters = static_cast<std::uint8_t>(event.waiters | 1U << at.kind);
  } else {
    pass_wait(at, start, event);
  }
}

void StreamRunner::pass_wait(const Place& at, SimTime start, const StreamEvent& event) {
  if (event.completed > start) {
    at.stream.after = event.after;
    if (at.is_compute()) at.rank.ledger.stream_waited(event.after);
  }
  complete_head(at, std::max(start, event.completed));
}

void StreamRunner::complete_record(const Place& at, SimTime now) {
  StreamEvent& event = at.rank.events[at.stream.head().arg];
  event.completed = now;
  event.after = at.stream.after;
  for (std::uint32_t w = 0; w < kWaiters; ++w) {
    if ((event.waiters >> w & 1U) != 0) woken_.push_back(at.rank_class * kWaiters + w);
  }
  complete_head(at, now);
}

void StreamRunner::complete_head(const Place& at, SimTime end) {
  StreamState& stream = at.stream;
  const StreamOp& op = stream.head();
  fingerprint_.add(end, static_cast<std::uint32_t>(op.kind), at.rank_class, op.op);
  stream.done_at[stream.next++] = end;
  const HostState& host = at.rank.host;
  if (host.behind == stream.next && host.stream == at.kind) {
    woken_.push_back(at.rank_class * kWaiters + kHostWaiter);
  }
  stream.free = end;
  stream.busy = false;
}

void StreamRunner::finish_compute(const Place& at, SimTime now) {
  if (at.is_compute()) {
    at.rank.ledger.work(at.ready(costs_.launch_latency), at.stream.started, now);
    at.rank.ledger.slowed(now, now - at.stream.started - time_alone(at.stream, at.rank, costs_));
    at.stream.after = kNoCall;
  }
  if (record_) {
    at.rank.intervals.push_back(
        {at.stream.head().op, static_cast<schedule::StreamKind>(at.kind), at.stream.started, now});
  }
  complete_head(at, now);
}

void StreamRunner::finish_op(std::uint32_t stream, SimTime now) {
  const Place at = place(stream);
  if (at.stream.head().kind == OpKind::kRecord) {
    complete_record(at, now);
  } else {
    finish_compute(at, now);
  }
  advance(at, now);
  drain(now);
}

void StreamRunner::end_collective(const Place& at, SimTime arrival,
                                  const Transfers::Finished& finished, SimTime now) {
  const CommCallId call =
      at.rank.ledger.add_call({at.stream.head().arg, arrival, finished.last_arrival,
                               std::max(finished.last_arrival, finished.not_before)});
  if (at.is_compute()) {
    at.rank.ledger.work(at.ready(costs_.launch_latency), arrival, now, call);
  }
  if (record_) {
    at.rank.intervals.push_back({at.stream.head().op, static_cast<schedule::StreamKind>(at.kind),
                                 std::max(arrival, finished.not_before), now});
  }
  at.stream.after = call;
  complete_head(at, now);
}

void StreamRunner::finish_collective(const Transfers::Finished& finished, SimTime now) {
  for (const Arrival& arrival : finished.arrivals) {
    const Place at = place(arrival.stream);
    leave_beside(at.rank_class, finished.entry, now);
    end_collective(at, arrival.time, finished, now);
    woken_.push_back(at.rank_class * kWaiters + at.kind);
  }
  drain(now);
}

std::string StreamRunner::describe_stuck(const RankState& rank) const {
  std::uint32_t op = rank.host.next;
  std::string who = "host";
  if (op == rank.program->ops.size()) {
    const auto stuck = std::find_if(rank.streams.begin(), rank.streams.end(),
                                    [](const StreamState& s) { return s.next < s.ops->size(); });
    if (stuck == rank.streams.end()) return "is finished";
    op = stuck->head().op;
    who = to_string(static_cast<schedule::StreamKind>(stuck - rank.streams.begin()));
    who += " stream";
  }
  const schedule::Op& pending = rank.program->ops[op];
  const std::string label = pending.label.valid() ? schedule_.label(pending.label).name : "";
  return fmt::format("waits for ever ({}) at op {} ({} \"{}\")", who, op, to_string(pending.kind),
                     label);
}

}  // namespace heddle::engine
