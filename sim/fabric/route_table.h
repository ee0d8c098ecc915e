#pragma once
// Every route of a fabric, found once when it freezes and immutable afterwards.
//
// Stored per machine: GPUs, CPUs and NICs of one node reach each other; routes between nodes are
// not enumerated (they would be quadratic in the cluster).

#include <cstdint>
#include <span>
#include <vector>

#include "sim/fabric/device.h"

namespace heddle::fabric {

struct NodeView;

/// Which links a route may take: peer-to-peer GPU traffic prefers NVLink; staged traffic goes GPU
/// -> host memory (a CPU) -> GPU over PCIe and the CPU interconnect only.
enum class RouteKind { kPeer, kHostStaged };

class RouteTable {
 public:
  RouteTable() = default;
  RouteTable(std::span<const Device> devices, std::span<const Link> links);

  /// Empty if there is none, if from == to, or if an end is a switch or in another node.
  std::span<const LinkId> route(DeviceId from, DeviceId to, RouteKind kind) const;

 private:
  struct Slice {
    std::size_t begin = 0;
    std::size_t size = 0;
  };
  struct Node {
    std::vector<DeviceId> endpoints;
    std::size_t first_slice = 0;  // slices_[first + (kind * n + from) * n + to]
  };
  void add_node(const NodeView& view);

  std::vector<Node> nodes_;
  std::vector<std::size_t> node_of_;     // by device
  std::vector<std::uint32_t> position_;  // by device: among the endpoints of its node
  std::vector<Slice> slices_;
  std::vector<LinkId> pool_;
};

}  // namespace heddle::fabric
