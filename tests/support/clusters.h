#pragma once
// Small clusters for tests of groups across machines. Machine k has the GPUs "n<k>/gpu0" and so on;
// NIC i hangs below the PCIe switch of GPU i. Header only.

#include <string>
#include <vector>

#include "tests/support/collective_machines.h"

namespace heddle::test {

struct Cluster {
  int nodes = 2;
  int gpus = 8;  // per node, a NIC each unless `nics` is smaller
  int nics = 8;  // NIC i serves GPU i * gpus / nics
  Machine machine = h200_sxm();
  bool has_nvswitch = true;
  Bandwidth nic = mb_per_s(50'000);
  bool is_rail_optimised = false;  // a leaf per NIC number, a spine above; else one switch
};

inline fabric::NetworkTransport network_of_the_notes() {
  fabric::NetworkTransport network;
  network.efficiency = 0.955;
  network.latency = microseconds(2);
  return network;
}

/// By node: the devices that tests name.
struct ClusterNode {
  std::vector<fabric::DeviceId> gpus;
  std::vector<fabric::DeviceId> nics;
};

inline ClusterNode add_node(fabric::FabricBuilder& builder, const Cluster& cluster, int node) {
  using fabric::DeviceKind;
  ClusterNode added;
  const std::string prefix = "n" + std::to_string(node) + "/";
  const auto add = [&](DeviceKind kind, const char* name, int index, int socket) {
    return builder.add_device({kind, prefix + name + std::to_string(index), node, socket, index});
  };
  const auto cpu = add(DeviceKind::kCpu, "cpu", 0, 0);
  const auto pcie = [&](fabric::DeviceId a, fabric::DeviceId b) {
    builder.add_duplex({a, b, fabric::LinkKind::kPcie, cluster.machine.pcie, {}, 16});
  };
  std::vector<fabric::DeviceId> switches;
  for (int i = 0; i < cluster.gpus; ++i) {
    added.gpus.push_back(add(DeviceKind::kGpu, "gpu", i, 0));
    switches.push_back(add(DeviceKind::kPcieSwitch, "pcie", i, 0));
    pcie(added.gpus.back(), switches.back());
    pcie(switches.back(), cpu);
  }
  for (int i = 0; i < cluster.nics; ++i) {
    added.nics.push_back(add(DeviceKind::kNic, "nic", i, 0));
    pcie(added.nics.back(), switches[static_cast<std::size_t>(i * cluster.gpus / cluster.nics)]);
  }
  if (!cluster.has_nvswitch) return added;
  const auto hub = add(DeviceKind::kNvSwitch, "nvswitch", 0, 0);
  for (fabric::DeviceId gpu : added.gpus) {
    builder.add_duplex({gpu, hub, fabric::LinkKind::kNvlink, cluster.machine.nvlink, {}, 18});
  }
  return added;
}

inline void add_network(fabric::FabricBuilder& builder, const Cluster& cluster,
                        const std::vector<ClusterNode>& nodes) {
  const auto add_switch = [&](const std::string& name, int index) {
    return builder.add_device({fabric::DeviceKind::kNetSwitch, name, fabric::kNoNode, 0, index});
  };
  const auto join = [&](fabric::DeviceId below, fabric::DeviceId above, std::int64_t cables) {
    builder.add_duplex({below, above, fabric::LinkKind::kNetwork, cluster.nic * cables, {}, 1});
  };
  const int leaves = cluster.is_rail_optimised ? cluster.nics : 1;
  std::vector<fabric::DeviceId> leaf;
  for (int i = 0; i < leaves; ++i) leaf.push_back(add_switch("leaf" + std::to_string(i), i));
  for (const ClusterNode& node : nodes) {
    for (std::size_t i = 0; i < node.nics.size(); ++i) join(node.nics[i], leaf[i % leaf.size()], 1);
  }
  if (leaves == 1) return;
  const auto spine = add_switch("spine", leaves);
  for (fabric::DeviceId each : leaf) join(each, spine, cluster.nodes);
}

inline fabric::Fabric cluster_fabric(const Cluster& cluster) {
  fabric::FabricBuilder builder("cluster", "H200");
  std::vector<ClusterNode> nodes;
  for (int i = 0; i < cluster.nodes; ++i) nodes.push_back(add_node(builder, cluster, i));
  add_network(builder, cluster, nodes);
  fabric::CommParameters comm = cluster.machine.comm;
  if (!comm.network) comm.network = network_of_the_notes();
  builder.set_comm(comm);
  return frozen(std::move(builder));
}

/// Bytes over the link from one device to another per byte of payload; 0 if it is not used.
inline double bytes_over(const fabric::Fabric& fabric, const collective::CollectiveCost& cost,
                         const std::string& from, const std::string& to) {
  for (const collective::LinkUse& use : cost.uses) {
    const fabric::Link& link = fabric.link(use.link);
    if (fabric.device(link.from).name == from && fabric.device(link.to).name == to) {
      return static_cast<double>(use.bytes_ppb) * 1e-9;
    }
  }
  return 0;
}

/// All GPUs in rank order, node by node.
inline std::vector<fabric::DeviceId> all_gpus(const fabric::Fabric& fabric) {
  return {fabric.gpus().begin(), fabric.gpus().end()};
}

}  // namespace heddle::test
