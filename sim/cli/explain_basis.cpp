#include <fmt/format.h>

#include "sim/base/units_text.h"
#include "sim/cli/explain_text.h"
#include "sim/cli/quantity_text.h"
#include "sim/cli/rings_text.h"
#include "sim/cli/what_if_text.h"
#include "sim/cli/wire_text.h"

namespace heddle::cli {
namespace {

std::string gpu_text(const model::GpuModel& gpu) {
  return fmt::format(
      "  {} (hw_models/gpus): bf16 {} at up to {} % in GEMMs, {} % in attention;"
      "\n  HBM {} at {} %; shortest kernel {}, launch latency {}\n",
      gpu.name, format_flop_rate(gpu.peak_of(schedule::DType::kBFloat16)),
      percent_text(gpu.gemm_efficiency), percent_text(gpu.attention_efficiency),
      format_bandwidth(gpu.hbm), percent_text(gpu.hbm_efficiency),
      format_duration(gpu.kernel_floor), format_duration(gpu.launch_latency));
}

/// What said how the machine is wired.
std::string origin_of_wires(const run::FabricChoice& choice) {
  const std::string& preset = choice.node.empty() ? choice.like_node : choice.node;
  return preset.empty() ? choice.import_name : "hw_models/nodes, " + preset;
}

std::string wires_text(const run::Study& study, const run::CaseId& id) {
  const run::FabricChoice& choice = study.scenario().fabrics[id.fabric];
  std::string text = fmt::format("  wires ({}): {}\n", origin_of_wires(choice),
                                 wire_text(study.fabric(id), study.members(id), choice.comm));
  text += what_if_lines(choice);
  return text;
}

/// What is used of several communicators; the first group of each.
std::string group_rings_text(const run::GroupModels& groups, const schedule::Schedule& schedule) {
  if (groups.size() == 1) return rings_text(groups.front().front());
  std::string text;
  for (const schedule::Collective& call : schedule.collectives) {
    const schedule::Communicator& c = schedule.communicators[call.communicator.index()];
    const std::string title =
        fmt::format("  {}, {} x {} ranks, the first:\n", c.name, c.groups.size(), c.size());
    if (text.find(title) != std::string::npos) continue;
    text += title;
    text += rings_text(groups[call.communicator.index()].front(), c.groups.front());
  }
  return text;
}

}  // namespace

std::string explain_basis(const run::Study& study, const run::CaseId& id,
                          const schedule::Schedule& schedule) {
  std::string text = "Where the numbers come from\n" + gpu_text(study.gpu(id));
  text += wires_text(study, id);
  text += group_rings_text(study.groups(id), schedule);
  for (const model::DerivedValue& value : study.scenario().model.derived) {
    text += fmt::format("  model {} = {}: {}\n", value.field, value.value, value.origin);
  }
  return text;
}

}  // namespace heddle::cli
