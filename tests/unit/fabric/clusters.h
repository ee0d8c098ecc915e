#pragma once
// Small hand-made clusters for the fabric tests.

#include <string>
#include <vector>

#include "tests/unit/fabric/machines.h"

namespace heddle::fabric {

/// `nodes` machines "a", "b", ...: gpu0 and gpu1 bridged by NVLink, each below a PCIe switch of its
/// own beside NIC 0 or 1. Returns the NICs by node.
inline std::vector<std::vector<DeviceId>> add_pairs(FabricBuilder& b, int nodes,
                                                    std::int64_t pcie_gb = 50) {
  std::vector<std::vector<DeviceId>> nics;
  for (int node = 0; node < nodes; ++node) {
    const std::string prefix(1, static_cast<char>('a' + node));
    const auto device = [&](DeviceKind kind, const std::string& name, int index) {
      return b.add_device({kind, prefix + "." + name + std::to_string(index), node, 0, index});
    };
    const DeviceId cpu = device(DeviceKind::kCpu, "cpu", 0);
    std::vector<DeviceId> gpus;
    nics.emplace_back();
    for (int i = 0; i < 2; ++i) {
      const DeviceId pcie = device(DeviceKind::kPcieSwitch, "pcie", i);
      gpus.push_back(device(DeviceKind::kGpu, "gpu", i));
      nics.back().push_back(device(DeviceKind::kNic, "nic", i));
      join(b, pcie, cpu, LinkKind::kPcie, pcie_gb);
      join(b, gpus.back(), pcie, LinkKind::kPcie, pcie_gb);
      join(b, nics.back().back(), pcie, LinkKind::kPcie, pcie_gb);
    }
    join(b, gpus[0], gpus[1], LinkKind::kNvlink, 100);
  }
  return nics;
}

inline DeviceId add_switch(FabricBuilder& b, const std::string& name, int index) {
  return b.add_device({DeviceKind::kNetSwitch, name, kNoNode, 0, index});
}

/// Four such machines on two rails: leaf k joins NIC k of all, a spine joins the leaves.
inline FabricBuilder rails() {
  FabricBuilder b("rails", "any");
  const auto nics = add_pairs(b, 4);
  const DeviceId leaf[2] = {add_switch(b, "leaf0", 0), add_switch(b, "leaf1", 1)};
  const DeviceId spine = add_switch(b, "spine", 2);
  for (const auto& node : nics) {
    for (std::size_t k = 0; k < 2; ++k) join(b, node[k], leaf[k], LinkKind::kNetwork, 25);
  }
  for (const DeviceId l : leaf) join(b, l, spine, LinkKind::kNetwork, 100);
  return b;
}

}  // namespace heddle::fabric
