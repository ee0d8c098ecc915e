#pragma once
// What `nvidia-smi topo -m` says, before anything is concluded from it.

#include <optional>
#include <string>
#include <vector>

namespace heddle::io {

/// The words of the matrix, best first. kNode: several host bridges of one NUMA node.
enum class TopoKind { kSelf, kNvlink, kPix, kPxb, kPhb, kNode, kSys };

/// `links` counts NVLinks of one GPU towards the other's fabric ("NV18"); 0 for the other kinds.
/// Behind a switch every pair shows all links of the GPU and shares them.
struct TopoRelation {
  TopoKind kind = TopoKind::kSelf;
  int links = 0;
  friend bool operator==(const TopoRelation&, const TopoRelation&) = default;
};

struct TopoGpu {
  int number = 0;                     // 3 in "GPU3"
  int line = 0;                       // of its row
  std::vector<TopoRelation> to_gpus;  // in the order of TopoMatrix::gpus
  std::vector<TopoRelation> to_nics;  // in the order of TopoMatrix::nics
  std::string cpu_affinity;           // as printed; empty if absent
  std::optional<int> numa;            // first NUMA node named; nullopt for N/A or absent
};

struct TopoMatrix {
  std::vector<TopoGpu> gpus;
  std::vector<std::string> nics;
};

}  // namespace heddle::io
