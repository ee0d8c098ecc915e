#pragma once
// The machine as a frozen directed graph. Built once by FabricBuilder, then immutable: ids are
// dense indices, routes are found when it freezes and never change, so it is safe to read from any
// number of threads.
//
// Routing: least hops, then widest (largest minimum capacity), then lowest device ids, among the
// links the kind of traffic may use. Domain of validity: intra-node paths; no adaptive routing.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/fabric/comm_parameters.h"
#include "sim/fabric/device.h"
#include "sim/fabric/route_table.h"

namespace heddle::fabric {

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
  std::span<const DeviceId> gpus() const { return gpus_; }
  const CommParameters& comm() const { return comm_; }
  int node_count() const { return node_count_; }

  /// Links between two GPUs, CPUs or NICs of one node, in order; empty if none exists (or from ==
  /// to, or the ends are in different nodes). Shared storage: valid as long as the fabric.
  std::span<const LinkId> route(DeviceId from, DeviceId to, RouteKind kind) const {
    return routes_.route(from, to, kind);
  }
  /// Classification of the peer route, as `nvidia-smi topo -m` and NCCL name it.
  PathType path_type(DeviceId from, DeviceId to) const;
  /// "gpu0 -> nvswitch0" for messages.
  std::string link_name(LinkId id) const;

 private:
  friend class FabricBuilder;
  Fabric() = default;

  std::string name_;
  std::string gpu_model_;
  std::vector<Device> devices_;
  std::vector<Link> links_;
  std::vector<std::vector<LinkId>> out_links_;
  std::vector<DeviceId> gpus_;
  CommParameters comm_;
  int node_count_ = 1;
  RouteTable routes_;
};

}  // namespace heddle::fabric
