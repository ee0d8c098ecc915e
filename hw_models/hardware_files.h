#pragma once
// Machines and networks together with the link files they name.

#include <optional>
#include <string>

#include "hw_models/data_folder.h"
#include "hw_models/network_reader.h"
#include "hw_models/node_fabric.h"

namespace heddle::hw_models {

struct NodeFiles {
  NodeModel model;
  NodeLinks links;
  std::string path;
};

struct NetworkFiles {
  NetworkModel model;
  std::string path;
};

/// Unknown names, faulty files and links used for what they are not: diagnostics, all of them, and
/// nullopt.
std::optional<NodeFiles> load_node(const DataFolder& folder, const std::string& name,
                                   Diagnostics& out);
std::optional<NetworkFiles> load_network(const DataFolder& folder, const std::string& name,
                                         Diagnostics& out);
std::optional<LinkModel> load_link(const DataFolder& folder, const std::string& name,
                                   fabric::LinkKind kind, Diagnostics& out);

}  // namespace heddle::hw_models
