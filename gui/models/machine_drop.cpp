#include "gui/models/machine_drop.h"

#include <fmt/format.h>

#include <filesystem>

#include "sim/base/error.h"
#include "sim/base/stable_hash.h"
#include "sim/io/file.h"
#include "sim/io/import/importers.h"
#include "sim/io/json_document.h"
#include "sim/io/json_text.h"
#include "sim/io/json_writer.h"

namespace heddle::gui {
namespace {

/// A machine is described by all of the importers' texts but measurements.
std::string refusal_of(const std::string& text, const std::string& name) {
  std::string known;
  for (const io::ImporterSpec& importer : io::importers()) {
    if (importer.kind == io::ImportKind::kNcclTests) continue;
    if (importer.confidence(text) > 0) return "";
    known += fmt::format("{}{}", known.empty() ? "" : ", ", importer.command);
  }
  return fmt::format("{}: neither a scenario (.json) nor a text about a machine ({})", name, known);
}

void write_gpus(io::JsonWriter& w, const run::FabricChoice& choice) {
  if (choice.gpus.empty() || choice.nodes > 1) {
    w.field("gpus", "all");
    return;
  }
  w.key("gpus").begin_array();
  for (const run::GpuPlace& place : choice.gpus) w.value(place.gpu);
  w.end_array();
}

std::string fabric_text(const run::FabricChoice& choice, const std::string& file) {
  io::JsonWriter w;
  w.begin_object().field("id", choice.id);
  w.key("import").begin_object();
  w.field("file", std::filesystem::absolute(file).string());
  const std::string& like = choice.node.empty() ? choice.like_node : choice.node;
  if (!like.empty()) w.field("like", like);
  if (like.empty() && !choice.import_gpu.empty()) w.field("gpu", choice.import_gpu);
  w.end_object();
  write_gpus(w, choice);
  w.end_object();
  Diagnostics ignored;
  const auto document = io::JsonDocument::parse(w.take(), "", ignored);
  return document ? io::json_text(document->tree()) : "";
}

}  // namespace

MachineDrop drop_machine(const run::Scenario& scenario, std::size_t fabric,
                         const std::string& file) {
  try {
    const std::string refusal = refusal_of(io::read_file(file), file);
    if (!refusal.empty()) return {{}, refusal};
  } catch (const Error& error) {
    return {{}, error.what()};
  }
  return {{fmt::format("fabrics.{}", fabric), fabric_text(scenario.fabrics[fabric], file)}, ""};
}

MachineDrop paste_machine(const run::Scenario& scenario, std::size_t fabric,
                          const std::string& text, const std::string& folder) {
  const std::string refusal = refusal_of(text, "the clipboard");
  if (!refusal.empty()) return {{}, refusal};
  const std::string file = fmt::format("{}/pasted-{}.txt", folder, StableHash().add(text).hex());
  try {
    std::error_code ignored;
    std::filesystem::create_directories(folder, ignored);
    io::write_file(file, text);
  } catch (const Error& error) {
    return {{}, error.what()};
  }
  return drop_machine(scenario, fabric, file);
}

}  // namespace heddle::gui
