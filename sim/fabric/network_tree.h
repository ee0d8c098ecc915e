#pragma once
// The network between machines: NICs below trees of switches. Parallel spines of a tier are one
// switch with the sum of their links, so the way between two NICs is unique: up to their lowest
// common switch, down again.

#include <span>
#include <vector>

#include "sim/fabric/device.h"

namespace heddle::fabric {

class NetworkTree {
 public:
  NetworkTree() = default;
  /// The network links must form trees, each cable one link per direction (fabric_check).
  NetworkTree(std::span<const Device> devices, std::span<const Link> links);

  /// The links from one NIC to another; empty if there are none or from == to. Cost: the tree's
  /// depth.
  std::vector<LinkId> route(DeviceId from, DeviceId to) const;
  /// Whether a way exists; a device outside the network reaches nothing.
  bool joins(DeviceId from, DeviceId to) const;

 private:
  /// A NIC's or switch's place in its tree.
  struct Vertex {
    DeviceId root;    // none: not in the network
    DeviceId parent;  // none: the root
    LinkId up;        // to the parent
    LinkId down;      // from the parent
    int depth = 0;
  };
  const Vertex& at(DeviceId id) const { return vertices_[id.index()]; }

  std::vector<Vertex> vertices_;  // by device
};

}  // namespace heddle::fabric
