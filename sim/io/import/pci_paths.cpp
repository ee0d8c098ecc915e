#include "sim/io/import/pci_paths.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>

namespace heddle::io {
namespace {

std::uint64_t hex(std::string_view text) {
  if (text.starts_with("0x")) text.remove_prefix(2);
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return value & 0xffff;
}

/// Generation of a Broadcom PEX switch at the upper (0) or lower (1) of its two levels; 0 for
/// others. The ids are those of getBcmGen() in NCCL's src/graph/topo.cc.
int broadcom_generation(const NcclPci& pci, int level) {
  constexpr std::uint64_t kGen4 = 0x1000'c010'1000'a000;
  constexpr std::uint64_t kGen5 = 0x1000'c030'1000'0000;
  const std::uint64_t id = hex(pci.vendor) << 48 | hex(pci.device) << 32 |
                           hex(pci.subsystem_vendor) << 16 | hex(pci.subsystem_device);
  const std::uint64_t masked = id & ~std::uint64_t{0xfff};
  if (masked == kGen4) return 4;
  if (masked == kGen5 + static_cast<std::uint64_t>(level) * 0x1000) return 5;
  return 0;
}

}  // namespace

PciPaths::PciPaths(const NcclTopo& topo) : topo_(topo), merged_(topo.pcis.size(), false) {
  for (const NcclPci& pci : topo.pcis) {
    int parent = pci.parent;
    if (parent != kNoPci && merged_[static_cast<std::size_t>(parent)]) {
      parent = parents_[static_cast<std::size_t>(parent)];
    }
    const std::size_t position = parents_.size();
    parents_.push_back(parent);
    if (pci.role != PciRole::kSwitch || parent == kNoPci || parent != pci.parent) continue;
    const int upper = broadcom_generation(topo.pcis[static_cast<std::size_t>(parent)], 0);
    merged_[position] = upper != 0 && broadcom_generation(pci, 1) == upper;
  }
}

Attachment PciPaths::of_pci(int pci) const {
  const NcclPci& device = topo_.pcis[static_cast<std::size_t>(pci)];
  return {pci, device.cpu, device.host_bridge};
}

Attachment PciPaths::of_net(const NcclNet& net) const {
  return net.pci == kNoPci ? Attachment{kNoPci, net.cpu, -1} : of_pci(net.pci);
}

/// From the device's own switch up to the CPU.
std::vector<int> PciPaths::switches_above(int pci) const {
  std::vector<int> above;
  if (pci == kNoPci) return above;
  for (int at = parents_[static_cast<std::size_t>(pci)]; at != kNoPci;
       at = parents_[static_cast<std::size_t>(at)]) {
    above.push_back(at);
  }
  return above;
}

std::string PciPaths::token(const Attachment& a, const Attachment& b) const {
  if (a.cpu != b.cpu) return "SYS";
  if (a.pci != kNoPci && a.pci == b.pci) return "PIX";
  const std::vector<int> from = switches_above(a.pci);
  const std::vector<int> to = switches_above(b.pci);
  const auto meet = std::find_first_of(from.begin(), from.end(), to.begin(), to.end());
  if (meet == from.end()) {
    const bool known = a.host_bridge >= 0 && b.host_bridge >= 0;
    return known && a.host_bridge != b.host_bridge ? "NODE" : "PHB";
  }
  return meet == from.begin() && *meet == to.front() ? "PIX" : "PXB";
}

}  // namespace heddle::io
