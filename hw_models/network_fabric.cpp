#include "hw_models/network_fabric.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heddle::hw_models {
namespace {

using fabric::DeviceId;

class NetworkBuilder {
 public:
  NetworkBuilder(fabric::FabricBuilder& builder, const NetworkModel& network,
                 const LinkModel& cable, const std::vector<std::vector<DeviceId>>& nics)
      : builder_(builder),
        network_(network),
        cable_(cable),
        nics_(nics),
        nodes_(static_cast<int>(nics.size())),
        nics_per_node_(static_cast<int>(nics.front().size())) {}

  void build() {
    switch (network_.shape) {
      case NetworkShape::kSingleSwitch:
        return add_single_switch();
      case NetworkShape::kRailOptimised:
        return add_rails();
      case NetworkShape::kFatTree:
        return add_tree();
    }
  }

 private:
  DeviceId add_switch(std::string name) {
    return builder_.add_device(
        {fabric::DeviceKind::kNetSwitch, std::move(name), fabric::kNoNode, 0, switches_++});
  }

  /// `cables` bundled ones. Whole bytes per second: an oversubscribed link rounds down.
  void join(DeviceId below, DeviceId above, std::int64_t cables, const Ratio& oversubscription) {
    const std::int64_t sum = cable_.payload_rate.bytes_per_second * cables;
    builder_.add_duplex({below, above, fabric::LinkKind::kNetwork,
                         Bandwidth{sum * oversubscription.below / oversubscription.above},
                         cable_.latency, static_cast<int>(cable_.lanes * cables)});
  }

  void plug(int node, int nic, DeviceId leaf) {
    join(nics_[static_cast<std::size_t>(node)][static_cast<std::size_t>(nic)], leaf, 1, {});
  }

  void add_single_switch() {
    const DeviceId hub = add_switch("switch");
    for (int node = 0; node < nodes_; ++node) {
      for (int nic = 0; nic < nics_per_node_; ++nic) plug(node, nic, hub);
    }
  }

  void add_rails() {
    std::vector<DeviceId> leaves;
    for (int first = 0; first < nodes_; first += network_.nodes_per_leaf) {
      const int end = std::min(first + network_.nodes_per_leaf, nodes_);
      for (int rail = 0; rail < nics_per_node_; ++rail) {
        leaves.push_back(
            add_switch(fmt::format("pod{}/rail{}", first / network_.nodes_per_leaf, rail)));
        for (int node = first; node < end; ++node) plug(node, rail, leaves.back());
      }
    }
    add_top("spine", leaves, network_.nodes_per_leaf);
  }

  void add_tree() {
    const std::vector<DeviceId> leaves = add_leaves();
    const std::int64_t uplinks = std::int64_t{network_.nodes_per_leaf} * nics_per_node_;
    if (network_.tiers == 2) return add_top("spine", leaves, uplinks);
    std::vector<DeviceId> pods;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      if (i % static_cast<std::size_t>(network_.leaves_per_pod) == 0) {
        pods.push_back(add_switch(fmt::format("pod{}", pods.size())));
      }
      join(leaves[i], pods.back(), uplinks, {});
    }
    add_top("core", pods, uplinks * network_.leaves_per_pod);
  }

  std::vector<DeviceId> add_leaves() {
    std::vector<DeviceId> leaves;
    for (int node = 0; node < nodes_; ++node) {
      if (node % network_.nodes_per_leaf == 0) {
        leaves.push_back(add_switch(fmt::format("leaf{}", leaves.size())));
      }
      for (int nic = 0; nic < nics_per_node_; ++nic) plug(node, nic, leaves.back());
    }
    return leaves;
  }

  /// A lone switch needs nothing above it.
  void add_top(const std::string& name, const std::vector<DeviceId>& below, std::int64_t uplinks) {
    if (below.size() < 2) return;
    const DeviceId top = add_switch(name);
    for (const DeviceId id : below) join(id, top, uplinks, network_.oversubscription);
  }

  fabric::FabricBuilder& builder_;
  const NetworkModel& network_;
  const LinkModel& cable_;
  const std::vector<std::vector<DeviceId>>& nics_;
  int nodes_;
  int nics_per_node_;
  int switches_ = 0;
};

}  // namespace

void add_network(fabric::FabricBuilder& builder, const NetworkModel& network,
                 const LinkModel& cable, const std::vector<std::vector<DeviceId>>& nics) {
  NetworkBuilder(builder, network, cable, nics).build();
}

}  // namespace heddle::hw_models
