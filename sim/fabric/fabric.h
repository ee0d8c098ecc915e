#pragma once
// The machine as a frozen directed graph. Built once by FabricBuilder, then immutable: ids are
// dense indices, routes are computed on first use of freeze() and never change.
//
// Routing: least hops, then widest (largest minimum capacity), then lowest device ids, among the
// links the kind of traffic may use. Domain of validity: intra-node paths; no adaptive routing.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/fabric/comm_parameters.h"
#include "sim/fabric/device.h"

namespace heddle::fabric {

/// Which links a route may take: peer-to-peer GPU traffic prefers NVLink; staged traffic goes GPU
/// -> host memory (a CPU) -> GPU over PCIe and the CPU interconnect only.
enum class RouteKind { kPeer, kHostStaged };

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

  /// Links from one device to another in order, empty if none exists (or from == to). Shared
  /// storage: valid as long as the fabric.
  std::span<const LinkId> route(DeviceId from, DeviceId to, RouteKind kind) const;
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
  // routes_[kind][gpu ordinal of from][gpu ordinal of to]
  std::vector<std::vector<std::vector<std::vector<LinkId>>>> routes_;
  std::vector<std::uint32_t> gpu_ordinal_;  // by device index, kNone for others
};

}  // namespace heddle::fabric
