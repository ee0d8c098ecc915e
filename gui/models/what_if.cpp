#include "gui/models/what_if.h"

#include <fmt/format.h>

#include "gui/models/json_text.h"
#include "sim/io/json_document.h"
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
  return {fmt::format("fabrics.{}.changes", fabric), changes ? json_text(*changes) : "[]"};
}

std::string wire_name(const fabric::Fabric& fabric, fabric::LinkId link) {
  return fabric.device(fabric.link(link).from).name + " - " +
         fabric.device(fabric.link(link).to).name;
}

}  // namespace heddle::gui
