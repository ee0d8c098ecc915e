#pragma once
// Every route inside the machines of a fabric, found once when it freezes and immutable afterwards.
//
// Stored per shape of machine: GPUs, CPUs and NICs of one node reach each other. Between nodes see
// network_tree.h.

#include <cstdint>
#include <span>
#include <vector>

#include "sim/fabric/device.h"
#include "sim/fabric/node_shapes.h"
#include "sim/fabric/route.h"

namespace heddle::fabric {

/// Which links a route may take: peer-to-peer GPU traffic prefers NVLink; staged traffic goes GPU
/// -> host memory (a CPU) -> GPU without NVLink.
enum class RouteKind { kPeer, kHostStaged };

class RouteTable {
 public:
  RouteTable() = default;
  RouteTable(std::span<const Device> devices, std::span<const Link> links,
             const NodeShapes& shapes);

  /// Inside a node, of the shapes that it was made from. Empty if there is none, if from == to, or
  /// if an end is a switch.
  Route route(const NodeShapes& shapes, int node, DeviceId from, DeviceId to, RouteKind kind) const;

 private:
  struct Slice {
    std::uint32_t begin = 0;
    std::uint32_t size = 0;
  };
  /// The routes of all machines of one shape, as places among a machine's links.
  struct Shape {
    std::size_t endpoints = 0;
    std::vector<Slice> slices;  // (kind * endpoints + from) * endpoints + to
    std::vector<std::uint32_t> places;
  };
  static Shape find_routes(std::span<const Device> devices, std::span<const Link> links,
                           const NodeParts& node);

  std::vector<Shape> shapes_;
  std::vector<std::uint32_t> position_;  // by device: among the endpoints of its node
};

}  // namespace heddle::fabric
