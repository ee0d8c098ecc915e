#include "hw_models/topo_fabric.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "hw_models/topo_links.h"
#include "sim/fabric/fabric_builder.h"
#include "sim/io/import/pci_paths.h"

namespace heddle::hw_models {
namespace {

using fabric::DeviceId;
using fabric::DeviceKind;

/// Positions of the CPUs in ascending NUMA nodes, and the place of each in it.
std::vector<int> places_by_numa(const io::NcclTopo& topo) {
  std::vector<int> order(topo.cpus.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  const auto before = [&topo](int a, int b) {
    const std::string& x = topo.cpus[static_cast<std::size_t>(a)].numa;
    const std::string& y = topo.cpus[static_cast<std::size_t>(b)].numa;
    return x.size() != y.size() ? x.size() < y.size() : x < y;  // plain numbers
  };
  std::stable_sort(order.begin(), order.end(), before);
  std::vector<int> places(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    places[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
  }
  return places;
}

class TopoBuilder {
 public:
  TopoBuilder(const std::string& name, const io::NcclTopo& topo, const TopoParts& parts,
              const TopoLinks& links)
      : builder_(name, parts.gpu),
        topo_(topo),
        parts_(parts),
        links_(links),
        paths_(topo),
        socket_(places_by_numa(topo)) {
    fabric::CommParameters comm = parts.comm;
    if (!links.uses_switch()) comm.nvls_efficiency.reset();
    builder_.set_comm(comm);
  }

  fabric::FabricBuilder build() && {
    add_gpus();
    add_cpus();
    add_switches();
    for (std::size_t i = 0; i < topo_.gpus.size(); ++i) {
      join(gpus_[i], above(topo_.gpus[i]), parts_.pcie, pcie(topo_.gpu(i)), topo_.gpu(i));
    }
    add_nics();
    add_nvlinks();
    add_c2c();
    return std::move(builder_);
  }

 private:
  int socket_of(int cpu) const { return socket_[static_cast<std::size_t>(cpu)]; }

  void add_gpus() {
    for (std::size_t i = 0; i < topo_.gpus.size(); ++i) {
      const int number = topo_.gpu_number(i);
      gpus_.push_back(builder_.add_device({DeviceKind::kGpu, fmt::format("gpu{}", number), 0,
                                           socket_of(topo_.gpu(i).cpu), number}));
    }
  }

  void add_cpus() {
    cpus_.resize(topo_.cpus.size());
    for (std::size_t place = 0; place < cpus_.size(); ++place) {
      const auto at = std::find(socket_.begin(), socket_.end(), static_cast<int>(place));
      const int number = static_cast<int>(place);
      cpus_[static_cast<std::size_t>(at - socket_.begin())] =
          builder_.add_device({DeviceKind::kCpu, fmt::format("cpu{}", number), 0, number, number});
    }
    const LinkModel& wire = parts_.interconnect;
    for (std::size_t a = 0; a < cpus_.size(); ++a) {
      for (std::size_t b = a + 1; b < cpus_.size(); ++b) {
        builder_.add_duplex(
            {cpus_[a], cpus_[b], wire.kind, wire.payload_rate, wire.latency, wire.lanes});
      }
    }
  }

  void add_switches() {
    switches_.resize(topo_.pcis.size());
    int number = 0;
    for (std::size_t i = 0; i < topo_.pcis.size(); ++i) {
      const io::NcclPci& pci = topo_.pcis[i];
      if (pci.role != io::PciRole::kSwitch || paths_.merged()[i]) continue;
      switches_[i] = builder_.add_device(
          {DeviceKind::kPcieSwitch, fmt::format("pcie{}", number), 0, socket_of(pci.cpu), number});
      ++number;
      join(switches_[i], above(static_cast<int>(i)), parts_.pcie, pcie(pci), pci);
    }
  }

  /// The device a PCI device hangs on; switches stand before what is below them.
  DeviceId above(int pci) const {
    const int parent = paths_.parents()[static_cast<std::size_t>(pci)];
    return parent == io::kNoPci
               ? cpus_[static_cast<std::size_t>(topo_.pcis[static_cast<std::size_t>(pci)].cpu)]
               : switches_[static_cast<std::size_t>(parent)];
  }

  Bandwidth pcie(const io::NcclPci& pci) const { return pcie_payload(pci.bandwidth, parts_.pcie); }

  void join(DeviceId a, DeviceId b, const LinkModel& link, Bandwidth capacity,
            const io::NcclPci& pci) {
    const int lanes = pci.link_width > 0 ? pci.link_width : link.lanes;
    builder_.add_duplex({a, b, link.kind, capacity, link.latency, lanes});
  }

  void add_nics() {
    std::set<std::string> names;
    for (std::size_t k = 0; k < topo_.nets.size(); ++k) {
      const io::NcclNet& net = topo_.nets[k];
      const bool taken = !names.insert(net.name).second;
      const std::string name = taken ? fmt::format("{}#{}", net.name, k) : net.name;
      const DeviceId nic =
          builder_.add_device({DeviceKind::kNic, name, 0, socket_of(net.cpu), static_cast<int>(k)});
      const DeviceId up =
          net.pci == io::kNoPci ? cpus_[static_cast<std::size_t>(net.cpu)] : above(net.pci);
      builder_.add_duplex({nic, up, parts_.pcie.kind, port(net), parts_.pcie.latency, 1});
    }
  }

  Bandwidth port(const io::NcclNet& net) const {
    constexpr std::int64_t kBytesPerMbit = 125'000;
    Bandwidth bus = parts_.pcie.payload_rate;
    if (net.pci != io::kNoPci) {
      const auto ports = std::count_if(topo_.nets.begin(), topo_.nets.end(),
                                       [&net](const auto& other) { return other.pci == net.pci; });
      bus = pcie(topo_.pcis[static_cast<std::size_t>(net.pci)]);
      bus.bytes_per_second /= ports;
    }
    if (!net.mbit_per_s) return bus;
    return std::min(bus, Bandwidth{*net.mbit_per_s * kBytesPerMbit});
  }

  void bundle(DeviceId a, DeviceId b, int links) {
    const LinkModel& link = parts_.nvlink;
    builder_.add_duplex(
        {a, b, link.kind, link.payload_rate * links, link.latency, link.lanes * links});
  }

  void add_nvlinks() {
    if (links_.uses_switch()) {
      const DeviceId hub = builder_.add_device({DeviceKind::kNvSwitch, "nvswitch0", 0, 0, 0});
      for (std::size_t i = 0; i < gpus_.size(); ++i) {
        if (links_.to_switch[i] > 0) bundle(gpus_[i], hub, links_.to_switch[i]);
      }
    }
    for (std::size_t a = 0; a < gpus_.size(); ++a) {
      for (std::size_t b = a + 1; b < gpus_.size(); ++b) {
        if (links_.pairs[a][b] > 0) bundle(gpus_[a], gpus_[b], links_.pairs[a][b]);
      }
    }
  }

  /// Superchips (C2C) and POWER (NVLinks into the CPU).
  void add_c2c() {
    constexpr std::int64_t kBytesPerMb = 1'000'000;
    const LinkModel& wire = parts_.c2c.name.empty() ? parts_.nvlink : parts_.c2c;
    for (std::size_t i = 0; i < gpus_.size(); ++i) {
      if (!topo_.gpu(i).gpu) continue;
      const DeviceId cpu = cpus_[static_cast<std::size_t>(topo_.gpu(i).cpu)];
      for (const io::NcclLink& link : topo_.gpu(i).gpu->links) {
        const Bandwidth told{kBytesPerMb * link.mb_per_second * link.count};
        if (link.kind == io::NcclLinkKind::kC2c) {
          builder_.add_duplex(
              {gpus_[i], cpu, fabric::LinkKind::kC2c, told, wire.latency, link.count});
        } else if (link.target_class.starts_with("0x068001")) {
          bundle(gpus_[i], cpu, link.count);
        }
      }
    }
  }

  fabric::FabricBuilder builder_;
  const io::NcclTopo& topo_;
  const TopoParts& parts_;
  const TopoLinks& links_;
  const io::PciPaths paths_;
  const std::vector<int> socket_;   // of each CPU
  std::vector<DeviceId> gpus_;      // in the order of topo.gpus
  std::vector<DeviceId> cpus_;      // by position in topo.cpus
  std::vector<DeviceId> switches_;  // by position in topo.pcis; unset where it is none
};

}  // namespace

std::optional<fabric::Fabric> build_topo_fabric(const std::string& name, const io::NcclTopo& topo,
                                                const TopoParts& parts, const std::string& file,
                                                std::vector<io::Inference>& inferences,
                                                Diagnostics& out) {
  const auto links = topo_links(topo, parts.nvlinks, file, inferences, out);
  if (!links) return std::nullopt;
  return TopoBuilder(name, topo, parts, *links).build().freeze(file, out);
}

}  // namespace heddle::hw_models
