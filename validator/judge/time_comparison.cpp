#include "validator/judge/time_comparison.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/base/check.h"
#include "validator/judge/collective_calls.h"

namespace heddle::judge {
namespace {

using schedule::OpKind;

/// Busy seconds per rank in the last step, by name.
struct Busy {
  std::map<std::string, double> classes;
  std::map<std::string, double> phases;
};

bool in_last_step(const schedule::Schedule& s, const engine::RankResult& rank, std::uint32_t op) {
  return op >= last_step_begin(s, s.programs[static_cast<std::size_t>(rank.program)]);
}

/// Kernels, averaged over the ranks a run holds (a class counts once: its ranks are alike).
void add_kernels(const schedule::Schedule& s, const engine::RunResult& run, Busy& busy) {
  const double share = 1.0 / static_cast<double>(run.ranks.size());
  for (const engine::RankResult& rank : run.ranks) {
    const auto& ops = s.programs[static_cast<std::size_t>(rank.program)].ops;
    const std::uint32_t begin =
        last_step_begin(s, s.programs[static_cast<std::size_t>(rank.program)]);
    for (const engine::Interval& i : rank.intervals) {
      if (i.op < begin || ops[i.op].kind != OpKind::kCompute) continue;
      const double seconds = share * (i.end - i.start).seconds();
      busy.classes[std::string(to_string(s.kernels[ops[i.op].arg].kind))] += seconds;
      if (i.stream != schedule::StreamKind::kCompute) continue;
      busy.phases[std::string(to_string(s.label(ops[i.op].label).phase))] += seconds;
    }
  }
}

std::string class_of(const schedule::Schedule& s, schedule::CollectiveId id) {
  return std::string(to_string(s.collective(id).kind));
}

Busy measured_busy(const schedule::Schedule& s, const engine::RunResult& run) {
  Busy busy;
  add_kernels(s, run, busy);
  for (const CollectiveCall& call : collective_calls(s, run)) {
    if (!in_last_step(s, run.ranks.front(), call.op)) continue;
    busy.classes[class_of(s, call.id)] += call.duration().seconds();
  }
  return busy;
}

/// Simulated collectives are told by their sums: from the last rank there to the end.
Busy predicted_busy(const schedule::Schedule& s, const engine::RunResult& run) {
  Busy busy;
  add_kernels(s, run, busy);
  const schedule::Program& program = s.programs.front();
  for (std::uint32_t op = last_step_begin(s, program); op < program.ops.size(); ++op) {
    if (program.ops[op].kind != OpKind::kCollective) continue;
    const schedule::CollectiveId id{program.ops[op].arg};
    const engine::CollectiveTimes& times = run.collectives[id.index()];
    if (times.calls == 0) continue;
    busy.classes[class_of(s, id)] += times.busy.seconds() / static_cast<double>(times.calls);
  }
  return busy;
}

std::map<std::string, int> count_calls(const schedule::Schedule& s) {
  std::map<std::string, int> calls;
  const schedule::Program& program = s.programs.front();
  for (std::uint32_t at = last_step_begin(s, program); at < program.ops.size(); ++at) {
    const schedule::Op& op = program.ops[at];
    if (op.kind == OpKind::kCompute) ++calls[std::string(to_string(s.kernels[op.arg].kind))];
    if (op.kind == OpKind::kCollective) ++calls[class_of(s, schedule::CollectiveId{op.arg})];
  }
  return calls;
}

double median_of(std::span<const Busy> repeats, std::map<std::string, double> Busy::*part,
                 const std::string& name) {
  std::vector<double> values;
  for (const Busy& busy : repeats) {
    const auto found = (busy.*part).find(name);
    values.push_back(found == (busy.*part).end() ? 0 : found->second);
  }
  return percentile(values, 0.5);
}

}  // namespace

double longest_step(const engine::RunResult& run) {
  Duration longest;
  for (const engine::RankResult& rank : run.ranks) {
    HEDDLE_CHECK(!rank.steps.empty(), "a run without steps");
    longest = std::max(longest, rank.steps.back().step);
  }
  return longest.seconds();
}

std::uint32_t last_step_begin(const schedule::Schedule& schedule,
                              const schedule::Program& program) {
  for (std::size_t i = program.ops.size(); i-- > 0;) {
    const schedule::Op& op = program.ops[i];
    if (op.kind != OpKind::kMark) continue;
    if (schedule.marks[op.arg].kind == schedule::Mark::Kind::kStepBegin) {
      return static_cast<std::uint32_t>(i);
    }
  }
  return 0;
}

TimeComparison compare_times(const schedule::Schedule& planned, const engine::RunResult& predicted,
                             const schedule::Schedule& executed,
                             std::span<const engine::RunResult> measured) {
  TimeComparison out;
  out.predicted_step = longest_step(predicted);
  std::vector<double> steps;
  std::vector<Busy> repeats;
  for (const engine::RunResult& run : measured) {
    steps.push_back(longest_step(run));
    repeats.push_back(measured_busy(executed, run));
  }
  out.step = summarize(steps);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double nearest = std::abs(steps[out.typical] - out.step.median);
    if (std::abs(steps[i] - out.step.median) < nearest) out.typical = i;
  }
  const Busy want = predicted_busy(planned, predicted);
  const std::map<std::string, int> calls = count_calls(planned);
  for (const auto& [name, seconds] : want.classes) {
    out.classes.push_back(
        {name, calls.at(name), seconds, median_of(repeats, &Busy::classes, name)});
  }
  for (const auto& [name, seconds] : want.phases) {
    out.phases.push_back({name, 0, seconds, median_of(repeats, &Busy::phases, name)});
  }
  for (std::size_t r = 0; r < measured.front().ranks.size(); ++r) {
    std::vector<double> own;
    for (const engine::RunResult& run : measured) {
      own.push_back(run.ranks[r].steps.back().step.seconds());
    }
    out.ranks.push_back(percentile(own, 0.5));
  }
  return out;
}

}  // namespace heddle::judge
