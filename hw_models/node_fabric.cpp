#include "hw_models/node_fabric.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace heddle::hw_models {
namespace {

using fabric::DeviceId;
using fabric::DeviceKind;

class NodeBuilder {
 public:
  NodeBuilder(fabric::FabricBuilder& builder, int number, const std::string& prefix,
              const NodeModel& node, const NodeLinks& links, const Wiring& wiring)
      : builder_(builder),
        number_(number),
        prefix_(prefix),
        node_(node),
        links_(links),
        wiring_(wiring) {}

  std::vector<DeviceId> build() && {
    add_gpus_and_cpus();
    add_pcie();
    add_nvlink();
    return add_nics();
  }

 private:
  DeviceId add(DeviceKind kind, const std::string& name, int socket, int index) {
    return builder_.add_device(
        {kind, prefix_ + name + std::to_string(index), number_, socket, index});
  }

  void join(DeviceId a, DeviceId b, const LinkModel& link, int bundle) {
    builder_.add_duplex(
        {a, b, link.kind, link.payload_rate * bundle, link.latency, link.lanes * bundle});
  }

  void add_gpus_and_cpus() {
    for (std::size_t i = 0; i < wiring_.gpu_numbers.size(); ++i) {
      gpus_.push_back(add(DeviceKind::kGpu, "gpu", wiring_.socket[i], wiring_.gpu_numbers[i]));
    }
    int sockets = 1 + *std::max_element(wiring_.socket.begin(), wiring_.socket.end());
    for (const NicPlace& nic : wiring_.nics) sockets = std::max(sockets, nic.socket + 1);
    for (int s = 0; s < sockets; ++s) cpus_.push_back(add(DeviceKind::kCpu, "cpu", s, s));
    const std::size_t host = node_.sockets_per_host > 0
                                 ? static_cast<std::size_t>(node_.sockets_per_host)
                                 : cpus_.size();
    for (std::size_t a = 0; a < cpus_.size(); ++a) {
      for (std::size_t b = a + 1; b < cpus_.size() && b / host == a / host; ++b) {
        join(cpus_[a], cpus_[b], links_.interconnect, 1);
      }
    }
  }

  /// Whether the switch `at` is `number` or hangs below it.
  bool is_below(int at, int number) const {
    for (; at != kNoSwitch; at = upper_of(at)) {
      if (at == number) return true;
    }
    return false;
  }

  /// The socket below which a switch sits: that of any GPU or NIC under it.
  int socket_of_switch(int number) const {
    for (std::size_t i = 0; i < gpus_.size(); ++i) {
      if (is_below(wiring_.pcie_switch[i], number)) return wiring_.socket[i];
    }
    for (const NicPlace& nic : wiring_.nics) {
      if (is_below(nic.pcie_switch, number)) return nic.socket;
    }
    return 0;
  }

  int upper_of(int number) const {
    return wiring_.upper_pcie_switch[static_cast<std::size_t>(number)];
  }

  DeviceId attachment(int pcie_switch, int socket) const {
    return pcie_switch == kNoSwitch ? cpus_[static_cast<std::size_t>(socket)]
                                    : switches_[static_cast<std::size_t>(pcie_switch)];
  }

  void add_pcie() {
    const int count = static_cast<int>(wiring_.upper_pcie_switch.size());
    for (int i = 0; i < count; ++i) {
      switches_.push_back(add(DeviceKind::kPcieSwitch, "pcie", socket_of_switch(i), i));
    }
    for (int i = 0; i < count; ++i) {
      join(switches_[static_cast<std::size_t>(i)], attachment(upper_of(i), socket_of_switch(i)),
           links_.pcie, 1);
    }
    for (std::size_t i = 0; i < gpus_.size(); ++i) {
      join(gpus_[i], attachment(wiring_.pcie_switch[i], wiring_.socket[i]),
           node_.c2c.empty() ? links_.pcie : links_.c2c, 1);
    }
  }

  std::vector<DeviceId> add_nics() {
    std::vector<DeviceId> nics;
    for (const NicPlace& place : wiring_.nics) {
      const int index = static_cast<int>(nics.size());
      nics.push_back(place.name.empty()
                         ? add(DeviceKind::kNic, "nic", place.socket, index)
                         : builder_.add_device({DeviceKind::kNic, prefix_ + place.name, number_,
                                                place.socket, index}));
      join(nics.back(), attachment(place.pcie_switch, place.socket), links_.pcie, 1);
    }
    return nics;
  }

  void add_nvlink() {
    if (wiring_.switch_links > 0) {
      const DeviceId hub = add(DeviceKind::kNvSwitch, "nvswitch", 0, 0);
      for (const DeviceId gpu : gpus_) join(gpu, hub, links_.nvlink, wiring_.switch_links);
    }
    for (std::size_t a = 0; a < gpus_.size(); ++a) {
      for (std::size_t b = a + 1; b < gpus_.size(); ++b) {
        const int bundle = wiring_.pair_links[a][b];
        if (bundle > 0) join(gpus_[a], gpus_[b], links_.nvlink, bundle);
      }
    }
  }

  fabric::FabricBuilder& builder_;
  int number_;
  const std::string& prefix_;
  const NodeModel& node_;
  const NodeLinks& links_;
  const Wiring& wiring_;
  std::vector<DeviceId> gpus_;
  std::vector<DeviceId> cpus_;
  std::vector<DeviceId> switches_;
};

}  // namespace

std::vector<DeviceId> add_node(fabric::FabricBuilder& builder, int number,
                               const std::string& prefix, const NodeModel& node,
                               const NodeLinks& links, const Wiring& wiring) {
  return NodeBuilder(builder, number, prefix, node, links, wiring).build();
}

fabric::CommParameters comm_of(const NodeModel& node, const Wiring& wiring) {
  fabric::CommParameters comm = node.comm;
  if (wiring.switch_links == 0) comm.nvls_efficiency.reset();
  return comm;
}

std::optional<fabric::Fabric> build_fabric(const std::string& name, const std::string& source,
                                           const NodeModel& node, const NodeLinks& links,
                                           const Wiring& wiring, Diagnostics& out) {
  fabric::FabricBuilder builder(name, node.gpu);
  builder.set_comm(comm_of(node, wiring));
  add_node(builder, 0, "", node, links, wiring);
  return std::move(builder).freeze(source, out);
}

}  // namespace heddle::hw_models
