#include "sim/engine/rank_state.h"

#include <algorithm>
#include <utility>

namespace heddle::engine {
namespace {

/// Completion of everything issued before the mark, and the stream that had it (-1: the host).
std::pair<SimTime, int> completion(const RankState& rank, const StepEnd& mark) {
  std::pair<SimTime, int> last{mark.host, -1};
  for (int s = 0; s < schedule::kStreamCount; ++s) {
    const std::uint32_t issued = mark.issued[static_cast<std::size_t>(s)];
    if (issued == 0) continue;
    const SimTime done = rank.streams[static_cast<std::size_t>(s)].done_at[issued - 1];
    if (done > last.first) last = {done, s};
  }
  return last;
}

std::vector<StepAccounting> account(RankState& rank) {
  std::vector<SimTime> ends;
  int last_stream = -1;
  for (const StepEnd& mark : rank.step_ends) {
    const auto [end, stream] = completion(rank, mark);
    ends.push_back(end);
    last_stream = stream;
  }
  if (ends.empty() || !rank.first_begin) return {};
  const CommCallId call =
      last_stream >= 0 ? rank.streams[static_cast<std::size_t>(last_stream)].after : kNoCall;
  rank.ledger.close(rank.step_ends.back().host, ends.back(), call);
  return rank.ledger.steps(*rank.first_begin, ends);
}

}  // namespace

std::uint32_t StreamState::done_before_issue(std::int64_t most) {
  const std::int64_t with_it = (*ops)[issued].launches;
  if (with_it <= most) return 0;
  while (rest_fits < issued && with_it - (*ops)[rest_fits].launches > most) ++rest_fits;
  return std::min(rest_fits + 1, issued);  // at the latest the op itself, alone
}

RankState::RankState(const schedule::Schedule& schedule, const RankClass& rank_class,
                     const ProgramIndex& index, bool record)
    : identity(rank_class),
      program(&schedule.programs[static_cast<std::size_t>(rank_class.program)]),
      events(schedule.event_count),
      memory(record) {
  for (std::size_t s = 0; s < streams.size(); ++s) {
    streams[s].ops = &index.streams[s];
    streams[s].issued_at.resize(index.streams[s].size());
    streams[s].done_at.resize(index.streams[s].size());
  }
}

bool RankState::finished() const {
  return host.next == program->ops.size() &&
         std::all_of(streams.begin(), streams.end(),
                     [](const StreamState& s) { return s.next == s.ops->size(); });
}

RankResult RankState::result() {
  RankResult out;
  out.program = identity.program;
  out.first_rank = identity.first_rank;
  out.multiplicity = identity.multiplicity;
  out.speed_ppb = identity.speed_ppb;
  out.steps = account(*this);
  out.intervals = std::move(intervals);
  out.marks = std::move(marks);
  memory.report(out);
  return out;
}

}  // namespace heddle::engine
