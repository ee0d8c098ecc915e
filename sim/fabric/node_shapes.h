#pragma once
// Which machines of a fabric are copies of each other, so that searches are done once per shape.

#include <cstdint>
#include <span>
#include <vector>

#include "sim/fabric/device.h"

namespace heddle::fabric {

/// One machine's part of the fabric's arrays. All lists ascend.
struct NodeParts {
  std::vector<DeviceId> members;
  std::vector<LinkId> inner_links;  // both ends inside the machine
  std::vector<LinkId> outer_links;  // one end outside: its NICs' cables
};

/// The machines, by number. Network switches are in none.
class NodeShapes {
 public:
  NodeShapes() = default;
  NodeShapes(std::span<const Device> devices, std::span<const Link> links);

  std::span<const NodeParts> nodes() const { return nodes_; }
  /// Equal exactly if the n-th devices and links of both machines are alike: kinds, sockets,
  /// numbers, capacities, latencies and which places they join; for cables to the network,
  /// everything but the far end. Numbered from 0 in order of the first machine of each shape.
  int shape(int node) const { return shape_[static_cast<std::size_t>(node)]; }

 private:
  std::vector<NodeParts> nodes_;
  std::vector<int> shape_;  // by node
};

}  // namespace heddle::fabric
