#include "gui/models/what_if.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "gui/models/json_nodes.h"
#include "sim/io/json_document.h"
#include "sim/io/json_text.h"
#include "sim/io/json_writer.h"
#include "sim/io/what_if_writer.h"

namespace heddle::gui {

std::pair<std::string, std::string> edit_with(const run::Scenario& scenario, std::size_t fabric,
                                              const fabric::Change& change) {
  run::FabricChoice choice = scenario.fabrics[fabric];
  choice.changes.push_back(change);
  io::JsonWriter w;
  w.begin_object();
  io::write_what_ifs(w, choice);
  w.end_object();
  Diagnostics ignored;
  const auto document = io::JsonDocument::parse(w.take(), "", ignored);
  const io::JsonNode* changes = document ? child_of(document->tree(), "changes") : nullptr;
  return {fmt::format("fabrics.{}.changes", fabric), changes ? io::json_text(*changes) : "[]"};
}

std::pair<std::string, std::string> edit_moving(const run::Study& study, const run::CaseId& id,
                                                int rank, fabric::DeviceId gpu) {
  const auto members = study.members(id);
  std::vector<fabric::DeviceId> moved(members.begin(), members.end());
  const auto there = std::find(moved.begin(), moved.end(), gpu);
  const auto from = static_cast<std::size_t>(rank);
  if (there != moved.end()) *there = moved[from];
  moved[from] = gpu;
  const fabric::Fabric& fabric = study.fabric(id);
  std::vector<run::GpuPlace> places;
  for (const fabric::DeviceId member : moved) {
    places.push_back({fabric.device(member).node, fabric.device(member).index});
  }
  return {fmt::format("fabrics.{}.gpus", id.fabric),
          gpu_list_text(places, fabric.node_count() == 1)};
}

std::string gpu_list_text(const std::vector<run::GpuPlace>& gpus, bool one_machine) {
  std::string list;
  for (const run::GpuPlace& gpu : gpus) {
    if (!list.empty()) list += ", ";
    list += one_machine ? fmt::format("{}", gpu.gpu) : fmt::format("\"{}:{}\"", gpu.node, gpu.gpu);
  }
  return '[' + list + ']';
}

std::string wire_name(const fabric::Fabric& fabric, fabric::LinkId link) {
  return fabric.device(fabric.link(link).from).name + " - " +
         fabric.device(fabric.link(link).to).name;
}

}  // namespace heddle::gui
