#include "sim/io/fabric_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sim/base/nearest_name.h"
#include "sim/io/background_reader.h"
#include "sim/io/change_reader.h"
#include "sim/io/choice_list.h"
#include "sim/io/comm_reader.h"
#include "sim/io/gpu_list.h"
#include "sim/io/import/detect.h"
#include "sim/io/scenario_fields.h"
#include "sim/io/scenario_limits.h"

namespace heddle::io {
namespace {

/// What an import's object says beside the file.
void read_import_options(ScenarioFields& fields, run::FabricChoice& choice) {
  if (fields.optional("gpu")) choice.import_gpu = fields.text("gpu");
  if (fields.optional("like")) choice.like_node = fields.text("like");
  const auto kind = fields.optional("kind");
  if (!kind) return;
  choice.import_kind = fields.text("kind");
  const std::vector<std::string> known = import_kinds();
  if (choice.import_kind.empty()) return;
  if (std::find(known.begin(), known.end(), choice.import_kind) != known.end()) return;
  kind->error("unknown-kind", fmt::format("unknown kind of import \"{}\"", choice.import_kind),
              suggest_name(choice.import_kind, known), fields.diagnostics());
}

/// A text about the machine: its file, or an object that also says what the text does not.
void read_import(const Value& value, ScenarioFiles& files, run::FabricChoice& choice,
                 Diagnostics& out) {
  std::optional<Value> file = value;
  if (value.kind() == JsonKind::kObject) {
    ScenarioFields fields(value, out);
    choice.import_name = fields.text("file");
    read_import_options(fields, choice);
    fields.finish();
    file = value.member("file");
  } else {
    choice.import_name = value.as_string(out).value_or("");
    if (choice.import_name.empty() && value.kind() == JsonKind::kString) {
      value.error("out-of-range", "must not be empty", "name the file", out);
    }
  }
  if (choice.import_name.empty()) return;
  choice.import_file = files.resolve(choice.import_name);
  files.read(choice.import_name, *file);
}

/// Keys of the first version, which described only `nvidia-smi topo -m`.
void refuse_old_keys(ScenarioFields& fields) {
  for (const char* key : {"topology", "like"}) {
    const auto old = fields.optional(key);
    if (!old) continue;
    old->error(
        "unknown-key", fmt::format("unknown key \"{}\"", key),
        "write \"import\": {\"file\": \"topo.txt\", \"gpu\": \"H100-SXM-80GB\"}, or \"like\" "
        "with a node preset instead of \"gpu\"",
        fields.diagnostics());
  }
}

/// A preset by name, or a text about the machine.
void read_machine(ScenarioFields& fields, ScenarioFiles& files, run::FabricChoice& choice) {
  const auto node = fields.optional("node");
  const auto import = fields.optional("import");
  Diagnostics& out = fields.diagnostics();
  if (import) {
    read_import(*import, files, choice, out);
    if (node) node->error("conflict", "\"import\" is given too", "keep one of the two", out);
  } else if (node) {
    choice.node = fields.text("node");
  } else {
    fields.object().error("missing-key", "no machine is named",
                          "name a preset as \"node\" or a text about it as \"import\"", out);
  }
  refuse_old_keys(fields);
}

/// How many machines, and what joins them.
void read_nodes(ScenarioFields& fields, run::FabricChoice& choice) {
  choice.nodes = static_cast<int>(fields.integer_or("nodes", 1, kMaxNodes, 1));
  const auto network = fields.optional("network");
  if (network) choice.network = fields.text("network");
  if (choice.import_name.empty() || (choice.nodes == 1 && !network)) return;
  fields.object().error(
      "unsupported-wiring", "a text describes one machine; several of it are not modelled",
      "name a preset as \"node\", or leave out \"nodes\" and \"network\"", fields.diagnostics());
}

void read_gpus(ScenarioFields& fields, run::FabricChoice& choice) {
  const auto order = fields.optional("rank_order");
  const auto word = fields.optional_word("rank_order", rank_orders());
  choice.rank_order = word.value_or(choice.rank_order);
  const auto gpus = fields.optional("gpus");
  if (!gpus) return;  // all
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

/// "8xH200-SXM", "16x8xH100-SXM-ib-ndr-rail", "topo" of "machines/topo.txt".
std::string default_id(const run::FabricChoice& choice) {
  std::string id = choice.import_name.empty()
                       ? choice.node
                       : std::filesystem::path(choice.import_name).stem().string();
  std::replace_if(
      id.begin(), id.end(), [](char c) { return !ChoiceIds::allows(c); }, '-');
  if (choice.nodes > 1) id = fmt::format("{}x{}", choice.nodes, id);
  return choice.network.empty() ? id : id + "-" + choice.network;
}

run::FabricChoice read_fabric(const Value& object, ScenarioFiles& files, ChoiceIds& ids,
                              Diagnostics& out) {
  ScenarioFields fields(object, out);
  run::FabricChoice choice;
  choice.pointer = object.pointer();
  choice.line = object.line();
  const auto id = fields.optional("id");
  if (id) choice.id = fields.text("id");
  if (object.kind() == JsonKind::kObject) read_machine(fields, files, choice);
  read_nodes(fields, choice);
  if (!id) choice.id = default_id(choice);
  if (!choice.id.empty()) ids.claim(choice.id, id.value_or(object), out);
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
