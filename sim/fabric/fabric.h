#pragma once
// The machine as a frozen directed graph. Built once by FabricBuilder, then immutable: ids are
// dense indices, routes are found when it freezes and never change, so it is safe to read from any
// number of threads.
//
// Routing inside a machine: least hops, then widest (largest minimum capacity), then lowest device
// ids, among the links the kind of traffic may use. Between machines: the one way through a tree
// of switches. Domain of validity: README.md; no adaptive routing.

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/fabric/comm_parameters.h"
#include "sim/fabric/device.h"
#include "sim/fabric/network_tree.h"
#include "sim/fabric/node_shapes.h"
#include "sim/fabric/route_table.h"

namespace heddle::fabric {

/// Devices of one kind in (node, index) order.
struct NodeDevices {
  std::vector<DeviceId> all;
  std::vector<std::size_t> begin;  // by node, and the end

  std::span<const DeviceId> of(int node) const {
    const auto n = static_cast<std::size_t>(node);
    return std::span(all).subspan(begin[n], begin[n + 1] - begin[n]);
  }
};

class Fabric {
 public:
  const std::string& name() const { return name_; }
  const std::string& gpu_model() const { return gpu_model_; }  // key into hw_models/gpus
  std::span<const Device> devices() const { return devices_; }
  std::span<const Link> links() const { return links_; }
  const Device& device(DeviceId id) const { return devices_[id.index()]; }
  const Link& link(LinkId id) const { return links_[id.index()]; }
  std::span<const LinkId> out_links(DeviceId id) const { return out_links_[id.index()]; }
  /// GPUs in (node, index) order; a job's rank r runs on one of these.
  std::span<const DeviceId> gpus() const { return gpus_.all; }
  const CommParameters& comm() const { return comm_; }
  /// The same wiring, on which collectives achieve something else.
  Fabric with_comm(const CommParameters& comm) &&;

  int node_count() const { return static_cast<int>(shapes_.nodes().size()); }
  /// How many machines these stand for: more than there are if the cluster is folded, so that each
  /// machine left out is like one that is here (hw_models/folded_cluster.h).
  int represented_nodes() const { return std::max(represented_nodes_, node_count()); }
  bool is_folded() const { return represented_nodes() > node_count(); }
  /// In index order.
  std::span<const DeviceId> node_gpus(int node) const { return gpus_.of(node); }
  std::span<const DeviceId> node_nics(int node) const { return nics_.of(node); }
  /// Machines of equal shape are copies of each other: the same devices and links in the same
  /// order, their NICs' cables included, so that a search need be done once per shape. Shapes are
  /// numbered from 0 in order of their first machine.
  int node_shape(int node) const { return shapes_.shape(node); }

  /// Links between two GPUs, CPUs or NICs of one node, in order; empty if none exists (or from ==
  /// to, or the ends are in different nodes). A view: valid as long as the fabric.
  Route route(DeviceId from, DeviceId to, RouteKind kind) const {
    const int node = device(from).node;
    if (node == kNoNode || node != device(to).node) return {};
    return routes_.route(shapes_, node, from, to, kind);
  }
  /// Links from a NIC through the network's switches to another NIC, in order; empty if there are
  /// none or from == to. Cost: the tiers passed, whatever the size of the cluster.
  std::vector<LinkId> network_route(DeviceId from_nic, DeviceId to_nic) const {
    return network_.route(from_nic, to_nic);
  }
  /// Classification of the peer route, as `nvidia-smi topo -m` and NCCL name it; NET between
  /// machines whose NICs reach each other.
  PathType path_type(DeviceId from, DeviceId to) const;
  /// "gpu0 -> nvswitch0" for messages.
  std::string link_name(LinkId id) const;

 private:
  friend class FabricBuilder;
  Fabric() = default;
  bool reaches_by_network(int from_node, int to_node) const;

  std::string name_;
  std::string gpu_model_;
  std::vector<Device> devices_;
  std::vector<Link> links_;
  std::vector<std::vector<LinkId>> out_links_;
  NodeDevices gpus_;
  NodeDevices nics_;
  CommParameters comm_;
  int represented_nodes_ = 0;
  NodeShapes shapes_;
  RouteTable routes_;
  NetworkTree network_;
};

}  // namespace heddle::fabric
