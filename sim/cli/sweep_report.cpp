#include "sim/cli/sweep_report.h"

#include <fmt/format.h>

#include "sim/base/units_text.h"
#include "sim/cli/quantity_text.h"
#include "sim/cli/text_table.h"
#include "sim/cli/wire_text.h"

namespace heddle::cli {
namespace {

std::string sweep_table(const SweepReport& report) {
  TextTable table({{"size", "B"},
                   {"algorithm", "", Align::kLeft},
                   {"protocol", "", Align::kLeft},
                   {"over", "", Align::kLeft},
                   {"time", "us"},
                   {"algbw", "GB/s"},
                   {"busbw", "GB/s"},
                   {"limited by", "", Align::kLeft}});
  for (const SweepPoint& p : report.points) {
    table.add_row({fmt::format("{}", p.bytes.value),
                   std::string(collective::to_string(p.cost.algorithm)),
                   std::string(collective::to_string(p.cost.protocol)),
                   std::string(collective::to_string(p.cost.transport)), us_text(p.cost.total),
                   format_significant(p.algbw_gb, 4), format_significant(p.busbw_gb, 4),
                   limit_text(p.cost, report.machine.fabric)});
  }
  return sweep_title(report.machine, report.comm, report.kind) + table.render(2);
}

std::string sweep_csv(const SweepReport& report) {
  std::string text =
      "size_bytes,algorithm,protocol,transport,time_s,algbw_gb_per_s,busbw_gb_per_s,limited_by\n";
  for (const SweepPoint& p : report.points) {
    text += fmt::format(
        "{},{},{},{},{},{},{},{}\n", p.bytes.value, collective::to_string(p.cost.algorithm),
        collective::to_string(p.cost.protocol), collective::to_string(p.cost.transport),
        p.cost.total.seconds(), p.algbw_gb, p.busbw_gb, limit_text(p.cost, report.machine.fabric));
  }
  return text;
}

}  // namespace

std::string sweep_title(const run::Machine& machine, const collective::CommSettings& comm,
                        schedule::CollectiveKind kind) {
  return fmt::format("{} on {}, {}, GPUs {}\n  {}\n", schedule::to_string(kind),
                     machine.fabric.name(), machine.gpu.name,
                     gpu_list_text(machine.fabric, machine.members),
                     wire_text(machine.fabric, machine.members, comm));
}

std::string sweep_text(const SweepReport& report, Format format) {
  switch (format) {
    case Format::kJson:
      return sweep_json(report);
    case Format::kCsv:
      return sweep_csv(report);
    case Format::kTable:
      break;
  }
  return sweep_table(report);
}

}  // namespace heddle::cli
