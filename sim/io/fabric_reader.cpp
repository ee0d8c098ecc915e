#include "sim/io/fabric_reader.h"

#include <fmt/format.h>

#include "sim/io/background_reader.h"
#include "sim/io/change_reader.h"
#include "sim/io/choice_list.h"
#include "sim/io/comm_reader.h"
#include "sim/io/gpu_list.h"
#include "sim/io/scenario_fields.h"
#include "sim/io/scenario_limits.h"

namespace heddle::io {
namespace {

void read_wiring(ScenarioFields& fields, ScenarioFiles& files, run::FabricChoice& choice) {
  choice.topology_name = fields.text("topology");
  choice.like_node = fields.text("like");
  if (choice.topology_name.empty()) return;
  choice.topology_file = files.resolve(choice.topology_name);
  files.read(choice.topology_name, *fields.object().member("topology"));
}

/// A preset by name, or a wiring file with the preset whose parts it is made of.
void read_machine(ScenarioFields& fields, ScenarioFiles& files, run::FabricChoice& choice) {
  const auto node = fields.optional("node");
  const auto topology = fields.optional("topology");
  const auto like = fields.optional("like");
  Diagnostics& out = fields.diagnostics();
  if (topology) {
    read_wiring(fields, files, choice);
    if (node) node->error("conflict", "\"topology\" is given too", "keep one of the two", out);
    return;
  }
  if (node) {
    choice.node = fields.text("node");
  } else {
    fields.object().error("missing-key", "no machine is named",
                          "name a preset as \"node\" or a wiring file as \"topology\"", out);
  }
  if (like) {
    like->error("conflict", "\"like\" belongs to a \"topology\", and there is none",
                "remove it, or name a wiring file", out);
  }
}

/// How many machines, and what joins them.
void read_nodes(ScenarioFields& fields, run::FabricChoice& choice) {
  choice.nodes = static_cast<int>(fields.integer_or("nodes", 1, kMaxNodes, 1));
  const auto network = fields.optional("network");
  if (network) choice.network = fields.text("network");
  if (choice.topology_name.empty() || (choice.nodes == 1 && !network)) return;
  fields.object().error(
      "unsupported-wiring", "a wiring file describes one machine; several of it are not modelled",
      "name a preset as \"node\", or leave out \"nodes\" and \"network\"", fields.diagnostics());
}

void read_gpus(ScenarioFields& fields, run::FabricChoice& choice) {
  const auto order = fields.optional("rank_order");
  const auto word = fields.optional_word("rank_order", rank_orders());
  choice.rank_order = word.value_or(choice.rank_order);
  const auto gpus = fields.required("gpus");
  if (!gpus) return;
  Diagnostics& out = fields.diagnostics();
  GpuList list = read_gpu_list(*gpus, {choice.nodes, choice.rank_order}, out);
  if (order && list.names_nodes) {
    order->error("not-applicable", "\"gpus\" names every rank's machine already",
                 "remove it, or list numbers that are used on every machine", out);
  }
  choice.gpus = std::move(list.gpus);
}

/// A name, or a file beside the scenario: files end in ".json", names do not.
void read_overlay(ScenarioFields& fields, ScenarioFiles& files, run::FabricChoice& choice) {
  choice.overlay = fields.text_or("overlay", "");
  if (!choice.overlay.ends_with(".json")) return;
  choice.overlay_file = files.resolve(choice.overlay);
  files.read(choice.overlay, *fields.object().member("overlay"));
}

run::FabricChoice read_fabric(const Value& object, ScenarioFiles& files, ChoiceIds& ids,
                              Diagnostics& out) {
  ScenarioFields fields(object, out);
  run::FabricChoice choice;
  choice.pointer = object.pointer();
  choice.line = object.line();
  choice.id = fields.text("id");
  if (!choice.id.empty()) ids.claim(choice.id, *fields.object().member("id"), out);
  if (object.kind() == JsonKind::kObject) read_machine(fields, files, choice);
  read_nodes(fields, choice);
  read_gpus(fields, choice);
  if (fields.optional("nccl")) choice.nccl_version = fields.text("nccl");
  read_overlay(fields, files, choice);
  choice.comm = read_comm(fields);
  if (const auto list = fields.optional("changes")) choice.changes = read_changes(*list, out);
  if (const auto list = fields.optional("background")) {
    choice.background = read_background(*list, out);
  }
  fields.finish();
  return choice;
}

}  // namespace

std::vector<run::FabricChoice> read_fabrics(const Value& list, ScenarioFiles& files,
                                            Diagnostics& out) {
  std::vector<run::FabricChoice> choices;
  ChoiceIds ids;
  for (const Value& item : choice_items(list, out)) {
    choices.push_back(read_fabric(item, files, ids, out));
  }
  return choices;
}

}  // namespace heddle::io
