#include "sim/cli/explain_text.h"

#include <fmt/format.h>

#include "sim/base/units_text.h"
#include "sim/cli/quantity_text.h"
#include "sim/cli/sweep.h"
#include "sim/cli/text_table.h"
#include "sim/run/call_cost.h"

namespace heddle::cli {
namespace {

std::string share_text(double part, double whole) {
  return whole > 0 ? percent_text(part / whole) : "-";
}

void add_time_row(TextTable& table, const std::string& name, Duration part, Duration step) {
  table.add_row({name, ms_text(part), share_text(part.seconds(), step.seconds())});
}

}  // namespace

std::string explain_time(const run::CaseResult& result) {
  const engine::StepAccounting& parts = result.accounting;
  TextTable table({{"compute stream", "", Align::kLeft}, {"time", "ms"}, {"of step", "%"}});
  add_time_row(table, "busy, bound by FLOPs", result.arithmetic_compute(), parts.step);
  if (result.attention_compute.ps > 0) {
    add_time_row(table, "  of it fused attention", result.attention_compute, parts.step);
  }
  add_time_row(table, "busy, bound by memory", result.memory_bound_compute, parts.step);
  add_time_row(table, "busy, too small to be faster", result.floor_bound_compute, parts.step);
  add_time_row(table, "busy, slowed by collectives", parts.slowed, parts.step);
  add_time_row(table, "waits for communication", parts.exposed_comm, parts.step);
  Duration late;
  Duration queued;
  for (const run::TrafficLine& line : result.traffic) {
    late += line.late;
    queued += line.queued;
  }
  if (late.ps > 0) add_time_row(table, "  of it for later ranks", late, parts.step);
  if (queued.ps > 0) add_time_row(table, "  of it behind other collectives", queued, parts.step);
  add_time_row(table, "waits for the host", parts.host, parts.step);
  add_time_row(table, "waits for other things", parts.other, parts.step);
  return fmt::format(
      "Step time {}, bound by {}\n{}  {} tokens/s, {} samples/s on {} GPUs, MFU {} %\n",
      format_duration(result.step_time), result.bound_by, table.render(2),
      magnitude_text(result.tokens_per_second), magnitude_text(result.samples_per_second),
      result.ranks, percent_text(result.mfu));
}

std::string explain_host(const run::CaseResult& result) {
  TextTable table({{"host thread", "", Align::kLeft},
                   {"dispatches", ""},
                   {"collective calls", ""},
                   {"time", "ms"}});
  for (const run::HostDispatchLine& line : result.host) {
    table.add_row({std::string(schedule::to_string(line.phase)), fmt::format("{}", line.dispatches),
                   fmt::format("{}", line.collectives), ms_text(line.time)});
  }
  Duration busy;
  for (const run::HostDispatchLine& line : result.host) busy += line.time;
  return fmt::format("What the host issues in a step: busy {} of {} ms ({} %)\n{}", ms_text(busy),
                     ms_text(result.step_time),
                     share_text(busy.seconds(), result.step_time.seconds()), table.render(2));
}

std::string communicator_text(const schedule::Schedule& schedule, schedule::CommunicatorId id) {
  const schedule::Communicator& c = schedule.communicators[id.index()];
  if (c.groups.size() == 1) return fmt::format("{}: {}", c.name, c.size());
  return fmt::format("{}: {} x {}", c.name, c.groups.size(), c.size());
}

std::string explain_traffic(const run::Study& study, const run::CaseId& id,
                            const run::CaseResult& result) {
  TextTable table({{"collective", "", Align::kLeft},
                   {"among", "ranks", Align::kLeft},
                   {"calls", ""},
                   {"size", "GB"},
                   {"sent/GPU", "GB"},
                   {"busy", "ms"},
                   {"exposed", "ms"},
                   {"busbw", "GB/s"},
                   {"how", "", Align::kLeft},
                   {"limited by", "", Align::kLeft}});
  for (const run::TrafficLine& line : result.traffic) {
    if (line.calls == 0) continue;
    const auto& groups = study.groups(id)[line.communicator.index()];
    const run::CallCost cost =
        run::call_cost({line.kind, Bytes{line.bytes.value / line.calls}}, groups, study.fabric(id));
    const double bus = collective::CollectiveModel::bus_factor(line.kind, groups.front().size()) *
                       static_cast<double>(line.bytes.value) * 1e-9 / line.busy.seconds();
    table.add_row({std::string(schedule::to_string(line.kind)),
                   communicator_text(*result.schedule, line.communicator),
                   fmt::format("{}", line.calls), gb_text(line.bytes), gb_text(line.wire_bytes),
                   ms_text(line.busy), ms_text(line.exposed),
                   line.busy.ps > 0 ? format_significant(bus, 3) : "-", line.algorithm,
                   limit_text(cost.slowest, study.fabric(id))});
  }
  if (result.traffic.empty()) return "Nothing is sent between GPUs\n";
  return "Traffic of a step, sums over its calls\n" + table.render(2);
}

}  // namespace heddle::cli
