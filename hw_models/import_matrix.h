#pragma once
// What an imported text says about pairs of devices, in the words of `nvidia-smi topo -m`.

#include <optional>
#include <string>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/io/import/imported.h"

namespace heddle::hw_models {

/// Best first. kNode: several host bridges of one NUMA node. kHost: over PCIe, and the text does
/// not say how ("PCIE" of rocm-smi).
enum class RelationKind { kSelf, kNvlink, kPix, kPxb, kPhb, kNode, kSys, kHost };

/// `links` counts NVLinks or xGMI links of one GPU towards the other's fabric; 0 for other kinds.
struct Relation {
  RelationKind kind = RelationKind::kSelf;
  int links = 0;
  friend bool operator==(const Relation&, const Relation&) = default;
};

/// "NV18", "XGMI" (one link), "PIX", "SOC" (the old name of SYS), ...; nullopt for other words.
std::optional<Relation> relation_of(const std::string& token);

struct ImportMatrix {
  const io::Imported* imported = nullptr;      // must outlive this
  std::vector<std::vector<Relation>> to_gpus;  // symmetric
  std::vector<std::vector<Relation>> to_nics;  // GPUs x NICs
  std::vector<std::optional<int>> numa;        // of each GPU: the first node its column names

  std::size_t gpus() const { return to_gpus.size(); }
  std::size_t nics() const { return to_nics.empty() ? 0 : to_nics.front().size(); }
  int number(std::size_t gpu) const { return imported->gpus[gpu].number; }
  int line(std::size_t gpu) const { return imported->gpus[gpu].line; }
};

/// Errors: a text without a matrix of wires, cells that are missing ("topo-truncated") or
/// contradict their mirror image ("topo-asymmetric"), words that are no relation ("topo-cell").
std::optional<ImportMatrix> import_matrix(const io::Imported& imported, const std::string& file,
                                          Diagnostics& out);

}  // namespace heddle::hw_models
