#include "validator/judge/validation_trace.h"

#include <fmt/format.h>

#include "sim/io/trace_text.h"

namespace heddle::judge {
namespace {

/// Ranks of one side; returns the next free process number, which orders them in the viewer.
int add_side(io::TraceText& trace, const std::string& title, const schedule::Schedule& schedule,
             const engine::RunResult& run, int process) {
  for (const engine::RankResult& rank : run.ranks) {
    const std::string ranks = rank.multiplicity == 1
                                  ? fmt::format("rank {}", rank.first_rank)
                                  : fmt::format("{} equal ranks", rank.multiplicity);
    trace.name("process_name", process, 0, title + ", " + ranks);
    const SimTime zero = rank.steps.empty() ? SimTime{} : rank.steps.back().begin;
    io::write_trace_streams(trace, schedule, rank, process++, zero);
  }
  return process;
}

}  // namespace

std::string validation_trace(const ValidationPlan& plan, const Validation& result) {
  io::TraceText trace;
  const int next = add_side(trace, "predicted", plan.planned.schedule, result.predicted, 0);
  const io::ScheduleFile& executed = plan.executed ? *plan.executed : plan.planned;
  add_side(trace, "measured", executed.schedule, result.typical, next);
  return trace.take();
}

}  // namespace heddle::judge
