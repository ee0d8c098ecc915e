#pragma once
// From an imported text to a fabric: the text says how the GPUs are wired, a node preset supplies
// what it does not say.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hw_models/node_fabric.h"
#include "hw_models/node_reader.h"
#include "hw_models/topo_parts.h"
#include "sim/base/diagnostics.h"
#include "sim/io/fabric_file.h"
#include "sim/io/import/imported.h"
#include "sim/run/hardware_catalog.h"

namespace heddle::hw_models {

/// A node preset and the links it names.
struct NodeParts {
  NodeModel model;
  NodeLinks links;
};

/// What the catalog offers to an import.
struct ImportShelf {
  std::vector<std::string> nodes;  // names of all node presets, sorted
  std::vector<std::string> gpus;
  std::function<std::optional<NodeParts>(const std::string& name, Diagnostics& out)> load;
  WireOfCpu wire_of;
};

struct ImportedFabric {
  fabric::Fabric fabric;
  std::shared_ptr<const io::FabricFile> file;  // if the text is one: then all of the rest is empty

  NodeParts host;                         // that supplied GPU, links and efficiencies
  std::vector<io::Inference> inferences;  // what was concluded on the way
};

/// Chooses the importer, reads the text and makes the fabric.
std::optional<ImportedFabric> import_fabric(const run::ImportedText& source,
                                            const ImportShelf& shelf, Diagnostics& out);

/// `like_node` supplies GPU, link speeds, CPU and efficiencies; if only a GPU is named, the preset
/// with that GPU and as many of them, or the first by name, does. Without either it is an error
/// ("unknown-gpu-model") that names both readings where NVLink could be a bridge or a switch.
std::optional<ImportedFabric> fabric_of(const io::Imported& imported,
                                        const run::ImportedText& source, const ImportShelf& shelf,
                                        Diagnostics& out);

}  // namespace heddle::hw_models
