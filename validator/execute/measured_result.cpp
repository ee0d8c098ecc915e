#include "validator/execute/measured_result.h"

#include <algorithm>
#include <array>

#include "sim/base/check.h"

namespace heddle::execute {
namespace {

using engine::Interval;
using engine::MemorySample;
using engine::RankResult;
using schedule::Mark;
using schedule::OpKind;

using Spans = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// Overlaps joined, in order, cut to [low, high).
Spans joined(Spans spans, std::int64_t low, std::int64_t high) {
  std::sort(spans.begin(), spans.end());
  Spans out;
  for (auto [start, end] : spans) {
    start = std::max(start, low);
    end = std::min(end, high);
    if (start >= end) continue;
    if (!out.empty() && start <= out.back().second) {
      out.back().second = std::max(out.back().second, end);
    } else {
      out.emplace_back(start, end);
    }
  }
  return out;
}

std::int64_t length(const Spans& spans) {
  std::int64_t sum = 0;
  for (const auto& [start, end] : spans) sum += end - start;
  return sum;
}

class RankBuilder {
 public:
  RankBuilder(const schedule::Schedule& schedule, int rank, const RankRun& run,
              std::int64_t zero_ns)
      : s_(schedule), run_(run), zero_(zero_ns) {
    result_.program = schedule.program_of_rank[static_cast<std::size_t>(rank)];
    result_.first_rank = rank;
  }

  RankResult build() {
    for (const device::OpTime& op : run_.ops) {
      result_.intervals.push_back({op.op, op.stream, at(op.start_ns), at(op.end_ns)});
    }
    std::stable_sort(result_.intervals.begin(), result_.intervals.end(),
                     [](const Interval& a, const Interval& b) { return a.start < b.start; });
    for (const std::int64_t ns : run_.marks_ns) result_.marks.push_back(at(ns));
    walk_memory();
    walk_steps();
    return std::move(result_);
  }

 private:
  SimTime at(std::int64_t ns) const {
    return SimTime{} + nanoseconds(std::max<std::int64_t>(0, ns - zero_));
  }
  const std::vector<schedule::Op>& ops() const {
    return s_.programs[static_cast<std::size_t>(result_.program)].ops;
  }
  void walk_memory();
  void walk_steps();
  void add_step(std::uint32_t issued, SimTime begin, SimTime mark);

  const schedule::Schedule& s_;
  const RankRun& run_;
  std::int64_t zero_;
  RankResult result_;
};

/// Samples have no time of their own: they carry that of the mark before them.
void RankBuilder::walk_memory() {
  std::size_t next = 0;
  std::size_t mark = 0;
  MemorySample now;
  for (std::uint32_t i = 0; i < ops().size() && !run_.memory.empty(); ++i) {
    const schedule::Op& op = ops()[i];
    if (next < run_.memory.size() && run_.memory[next].op == i) {
      now.op = i;
      now.by_category = run_.memory[next++].count.allocated;
      result_.memory.push_back(now);
      if (now.total() > result_.peak.total()) result_.peak = now;
      if (!result_.step_peaks.empty() && now.total() > result_.step_peaks.back().total()) {
        result_.step_peaks.back() = now;
      }
    }
    if (op.kind != OpKind::kMark) continue;
    now.time = result_.marks[mark++];
    if (s_.marks[op.arg].kind == Mark::Kind::kStepBegin) result_.step_peaks.push_back(now);
    if (s_.marks[op.arg].kind == Mark::Kind::kAfterOptimizer) {
      result_.after_optimizer.push_back(now);
    }
  }
}

void RankBuilder::add_step(std::uint32_t issued, SimTime begin, SimTime mark) {
  engine::StepAccounting step;
  step.begin = begin;
  SimTime end = mark;
  Spans compute;
  Spans comm;
  for (const Interval& i : result_.intervals) {
    if (i.op > issued) continue;
    end = std::max(end, i.end);
    const bool is_comm = ops()[i.op].kind == OpKind::kCollective;
    if (!is_comm && i.stream != schedule::StreamKind::kCompute) continue;
    (is_comm ? comm : compute).emplace_back(i.start.ps, i.end.ps);
  }
  const Spans busy = joined(compute, begin.ps, end.ps);
  comm.insert(comm.end(), busy.begin(), busy.end());
  step.compute = {length(busy)};
  step.exposed_comm = {length(joined(comm, begin.ps, end.ps)) - length(busy)};
  step.step = end - begin;
  step.other = step.step - step.compute - step.exposed_comm;
  result_.steps.push_back(step);
}

void RankBuilder::walk_steps() {
  std::optional<SimTime> begin;
  std::size_t mark = 0;
  for (std::uint32_t i = 0; i < ops().size(); ++i) {
    if (ops()[i].kind != OpKind::kMark) continue;
    const SimTime time = result_.marks[mark++];
    const Mark::Kind kind = s_.marks[ops()[i].arg].kind;
    if (kind == Mark::Kind::kStepBegin && !begin) begin = time;
    if (kind != Mark::Kind::kStepEnd || !begin) continue;
    add_step(i, *begin, time);
    begin = result_.steps.back().begin + result_.steps.back().step;
  }
}

}  // namespace

engine::RunResult measured_result(const schedule::Schedule& schedule,
                                  std::span<const RankRun> runs) {
  HEDDLE_CHECK(static_cast<int>(runs.size()) == schedule.rank_count(), "a run per rank");
  std::int64_t zero = 0;
  for (const RankRun& run : runs) {
    HEDDLE_CHECK(!run.failure, "a failed run has no result");
    zero = std::max(zero, run.start_ns);
  }
  engine::RunResult result;
  for (int rank = 0; rank < schedule.rank_count(); ++rank) {
    const RankRun& run = runs[static_cast<std::size_t>(rank)];
    result.ranks.push_back(RankBuilder(schedule, rank, run, zero).build());
    for (const Interval& i : result.ranks.back().intervals)
      result.end = std::max(result.end, i.end);
  }
  return result;
}

}  // namespace heddle::execute
