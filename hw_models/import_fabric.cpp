#include "hw_models/import_fabric.h"

#include <fmt/format.h>

#include <utility>

#include "hw_models/import_host.h"
#include "hw_models/import_matrix.h"
#include "hw_models/topology_wiring.h"
#include "sim/io/import/detect.h"
#include "sim/io/import/heddle_fabric.h"
#include "sim/io/import/nvidia_smi_topo.h"
#include "sim/io/import/topo_import.h"

namespace heddle::hw_models {
namespace {

bool hides_nvlink(const io::Imported& imported) {
  const auto* details = dynamic_cast<const io::NvidiaSmiTopoDetails*>(imported.details.get());
  return details != nullptr && details->nvlink_hidden;
}

/// A fabric file says everything itself.
std::optional<ImportedFabric> complete_fabric(const io::HeddleFabricDetails& details,
                                              const run::ImportedText& source, Diagnostics& out) {
  if (!source.gpu.empty() || !source.like_node.empty()) {
    out.error("conflict", source.file, "", 0,
              "a fabric file says itself which GPU it has and how "
              "fast its links are",
              "remove \"gpu\" and \"like\" (--gpu, --like)");
    return std::nullopt;
  }
  return ImportedFabric{details.file->fabric, details.file, {}, {}};
}

/// A PCI tree is exact: the node preset only adds efficiencies and what one link carries.
std::optional<ImportedFabric> tree_fabric(const io::Imported& imported,
                                          const io::NcclTopoDetails& details,
                                          const run::ImportedText& source, const ImportShelf& shelf,
                                          Diagnostics& out) {
  std::vector<io::Inference> inferences = imported.inferences;
  auto host = choose_host(imported, source, shelf, inferences, out);
  if (!host) return std::nullopt;
  const TopoParts parts =
      topo_parts(details.topo, host->model, host->links, shelf.wire_of, inferences);
  auto fabric = build_topo_fabric(source.file, details.topo, parts, source.file, inferences, out);
  if (!fabric) return std::nullopt;
  // Without a C2C: its capacity is the text's own.
  host->links = {parts.nvlink, parts.pcie, parts.interconnect, {}};
  return ImportedFabric{std::move(*fabric), nullptr, std::move(*host), std::move(inferences)};
}

}  // namespace

std::optional<ImportedFabric> import_fabric(const run::ImportedText& source,
                                            const ImportShelf& shelf, Diagnostics& out) {
  const io::ImporterSpec* importer =
      io::choose_importer(source.kind, source.text, source.file, out);
  const auto imported =
      importer == nullptr ? std::nullopt : importer->read(source.text, source.file, out);
  if (imported) return fabric_of(*imported, source, shelf, out);
  if (!source.like_node.empty()) shelf.load(source.like_node, out);  // report its faults too
  return std::nullopt;
}

std::optional<ImportedFabric> fabric_of(const io::Imported& imported,
                                        const run::ImportedText& source, const ImportShelf& shelf,
                                        Diagnostics& out) {
  const auto* native = dynamic_cast<const io::HeddleFabricDetails*>(imported.details.get());
  if (native != nullptr) return complete_fabric(*native, source, out);
  const auto* tree = dynamic_cast<const io::NcclTopoDetails*>(imported.details.get());
  if (tree != nullptr) return tree_fabric(imported, *tree, source, shelf, out);
  std::vector<io::Inference> inferences = imported.inferences;
  const auto matrix = import_matrix(imported, source.file, out);
  auto host = choose_host(imported, source, shelf, inferences, out);
  if (!host || !matrix) return std::nullopt;
  if (hides_nvlink(imported) && host->model.wiring != NvlinkWiring::kNone) {
    out.error("topo-mp", source.file, "", 0,
              fmt::format("this is `nvidia-smi topo -mp`, which hides NVLink, and a {} has it",
                          host->model.gpu),
              "paste `nvidia-smi topo -m`");
    return std::nullopt;
  }
  const auto wiring = wiring_of(*matrix, host->model, source.file, out);
  if (!wiring) return std::nullopt;
  auto fabric = build_fabric(source.file, source.file, host->model, host->links, *wiring, out);
  if (!fabric) return std::nullopt;
  return ImportedFabric{std::move(*fabric), nullptr, std::move(*host), std::move(inferences)};
}

}  // namespace heddle::hw_models
