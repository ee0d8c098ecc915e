#include "hw_models/hardware_files.h"

#include <fmt/format.h>

#include <utility>

#include "hw_models/comm_reader.h"

namespace heddle::hw_models {
namespace {

/// False if the file is not to be had; an empty name asks for none.
bool take_link(const DataFolder& folder, const std::string& name, fabric::LinkKind kind,
               LinkModel& link, Diagnostics& out) {
  if (name.empty()) return true;
  auto read = load_link(folder, name, kind, out);
  if (read) link = std::move(*read);
  return read.has_value();
}

bool take_comm(const DataFolder& folder, NodeModel& node, Diagnostics& out) {
  const auto file = folder.find("comm", "comm", node.comm_name, out);
  auto read = file ? read_comm(*file, out) : std::nullopt;
  if (read) node.comm = std::move(read->comm);
  return read.has_value();
}

}  // namespace

std::optional<LinkModel> load_link(const DataFolder& folder, const std::string& name,
                                   fabric::LinkKind kind, Diagnostics& out) {
  const auto file = folder.find("links", "link", name, out);
  auto read = file ? read_link(*file, out) : std::nullopt;
  if (!read || read->kind == kind) return read;
  out.error("wrong-link-kind", file->path, "/kind", 0,
            fmt::format("{} is used as {}", name, to_string(kind)), "name another link file");
  return std::nullopt;
}

std::optional<NodeFiles> load_node(const DataFolder& folder, const std::string& name,
                                   Diagnostics& out) {
  const auto file = folder.find("nodes", "node", name, out);
  auto model = file ? read_node(*file, out) : std::nullopt;
  if (!model) return std::nullopt;
  using enum fabric::LinkKind;
  NodeLinks links;
  // All of them, so that every problem is reported at once.
  bool found = take_link(folder, model->pcie, kPcie, links.pcie, out);
  found &= take_link(folder, model->interconnect, kCpuInterconnect, links.interconnect, out);
  found &= take_link(folder, model->nvlink, kNvlink, links.nvlink, out);
  found &= take_link(folder, model->c2c, kC2c, links.c2c, out);
  found &= take_comm(folder, *model, out);
  if (!found) return std::nullopt;
  return NodeFiles{std::move(*model), std::move(links), file->path};
}

std::optional<NetworkFiles> load_network(const DataFolder& folder, const std::string& name,
                                         Diagnostics& out) {
  const auto file = folder.find("networks", "network", name, out);
  auto model = file ? read_network(*file, out) : std::nullopt;
  if (!model) return std::nullopt;
  return NetworkFiles{std::move(*model), file->path};
}

}  // namespace heddle::hw_models
