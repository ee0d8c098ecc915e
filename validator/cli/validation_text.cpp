#include "validator/cli/validation_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/units_text.h"
#include "sim/cli/text_table.h"

namespace heddle::validator_cli {
namespace {

using judge::TimeRow;
using judge::Validation;
using judge::ValidationPlan;
using judge::Verdict;

std::string seconds(double value) {
  return format_duration(duration_from_seconds(value));
}

std::string percent(double error) {
  return fmt::format("{:+.1f}", 100 * error);
}

std::string head(const ValidationPlan& plan, const Validation& result) {
  const io::ScheduleFile& planned = plan.planned;
  const std::string transport =
      result.host.transport.empty() ? "" : " (" + result.host.transport + ")";
  std::string text =
      fmt::format("{}, {}: {} ranks on backend {}{}, scale {}\n{}, {} cores, load {:.2f}, {}\n",
                  planned.origin.scenario, planned.origin.case_id, planned.schedule.rank_count(),
                  plan.fleet.backend->name, transport, plan.scale, result.host.cpu,
                  result.host.cores, result.host.load, result.host.date);
  text += fmt::format("schedule {}, prediction {}\n", planned.hash,
                      result.prediction_hash.empty() ? "not made" : result.prediction_hash);
  if (plan.executed) {
    text += fmt::format("run was another schedule: {}{}\n", plan.executed->hash,
                        plan.executed->sealed ? "" : ", edited");
  }
  return text;
}

std::string time_table(const judge::TimeComparison& time) {
  cli::TextTable table({{"last step", "", cli::Align::kLeft},
                        {"calls", ""},
                        {"predicted", ""},
                        {"measured", ""},
                        {"error", "%"}});
  const auto add = [&](const std::vector<TimeRow>& rows, const std::string& prefix) {
    for (const TimeRow& row : rows) {
      table.add_row({prefix + row.name, row.calls > 0 ? std::to_string(row.calls) : "",
                     seconds(row.predicted), seconds(row.measured), percent(row.error())});
    }
  };
  table.add_row({"whole", "", seconds(time.predicted_step), seconds(time.step.median),
                 percent(time.error())});
  add(time.classes, "  ");
  add(time.phases, "  compute in ");
  return table.render(2) + fmt::format("  median of {} steps, P10 {}, P90 {}{}\n",
                                       time.step.samples, seconds(time.step.p10),
                                       seconds(time.step.p90), time.step.noisy() ? ", noisy" : "");
}

constexpr std::size_t kMostDifferences = 8;

std::string memory_lines(const Validation& result) {
  const judge::MemoryComparison& m = *result.memory;
  std::string text = fmt::format(
      "memory: {} of {} boundaries as predicted; peak {} predicted, {} counted, {} grew by {}\n",
      m.boundaries - m.totals_differ, m.boundaries, format_bytes(m.predicted_peak),
      format_bytes(m.measured_peak), result.gpu ? "use of the GPU" : "process",
      format_bytes(result.resident_growth));
  for (std::size_t i = 0; i < std::min(kMostDifferences, m.differences.size()); ++i) {
    const judge::MemoryDifference& d = m.differences[i];
    text += fmt::format("  rank {}, {}: {}: {}\n", d.rank, to_string(d.category), d.op, d.what);
  }
  if (m.differences.size() > kMostDifferences) {
    text += fmt::format("  and {} more\n", m.differences.size() - kMostDifferences);
  }
  return text;
}

std::string gpu_lines(const Validation& result) {
  const judge::GpuFindings& gpu = *result.gpu;
  std::string text;
  if (gpu.measured_reserved.value > 0) {
    text += fmt::format("allocator: {} reserved at its peak, {} predicted ({} %)\n",
                        format_bytes(gpu.measured_reserved), format_bytes(gpu.predicted_reserved),
                        percent(gpu.reserved_error()));
  }
  if (gpu.quiet && result.time) {
    text += fmt::format("without events round ops: {} a step; the events cost {} %\n",
                        seconds(gpu.quiet->median),
                        percent(gpu.probe_effect(result.time->step.median)));
  }
  if (!gpu.machine.empty()) text += fmt::format("NCCL's topology: {}\n", gpu.machine);
  if (gpu.is_shared) text += "one GPU, several ranks: says nothing about links\n";
  return text;
}

}  // namespace

std::string validation_text(const ValidationPlan& plan, const Validation& result) {
  std::string text = head(plan, result);
  if (result.time) text += time_table(*result.time);
  if (result.memory) text += memory_lines(result);
  if (result.gpu) text += gpu_lines(result);
  for (const std::string& doubt : result.doubts) text += "calibration " + doubt + "\n";
  const std::string verdict = result.verdict == Verdict::kNotMeasured
                                  ? "could not measure"
                                  : std::string(to_string(result.verdict));
  text += "verdict: " + verdict + "\n";
  for (const std::string& reason : result.reasons) text += "  " + reason + "\n";
  if (result.failure) {
    for (const std::string& line : result.failure->flight) text += "    " + line + "\n";
  }
  return text;
}

cli::ExitCode exit_code_of(const Validation& result) {
  if (result.failure) {
    switch (result.failure->problem) {
      case launch::FleetProblem::kUnsupported:
        return cli::ExitCode::kUnsupported;
      case launch::FleetProblem::kInterrupted:
        return cli::ExitCode::kInterrupted;
      case launch::FleetProblem::kWrongData:
        return cli::ExitCode::kDisagrees;
      case launch::FleetProblem::kLost:
        return cli::ExitCode::kRunFailed;
    }
  }
  if (result.verdict == Verdict::kAgrees) return cli::ExitCode::kDone;
  return result.verdict == Verdict::kDisagrees ? cli::ExitCode::kDisagrees
                                               : cli::ExitCode::kRunFailed;
}

}  // namespace heddle::validator_cli
