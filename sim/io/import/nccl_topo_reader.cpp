#include "sim/io/import/nccl_topo_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "sim/io/import/imported.h"
#include "sim/io/import/nccl_topo_check.h"
#include "sim/io/import/pcie_rate.h"
#include "sim/io/import/xml_fields.h"

namespace heddle::io {
namespace {

bool is_hex(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

PciRole role_of(const NcclPci& pci, const XmlElement& element) {
  if (pci.gpu) return PciRole::kGpu;
  if (element.child("nic")) return PciRole::kNic;
  const std::string& text = pci.pci_class;
  if (text.starts_with("0x0604")) return PciRole::kSwitch;
  if (text.starts_with("0x0680")) return PciRole::kNvSwitch;
  if (text.starts_with("0x03") || text.starts_with("0x12")) return PciRole::kGpu;
  if (text.starts_with("0x02")) return PciRole::kNic;
  return element.child("pci") ? PciRole::kSwitch : PciRole::kUnknown;
}

std::optional<NcclLinkKind> link_kind(std::string_view name) {
  if (name == "nvlink") return NcclLinkKind::kNvlink;
  if (name == "xgmi") return NcclLinkKind::kXgmi;
  if (name == "c2c") return NcclLinkKind::kC2c;
  return std::nullopt;
}

class Reader {
 public:
  Reader(const std::string& file, Diagnostics& out) : fields_(file, out) {}

  NcclTopo read(const XmlElement& system) {
    topo_.version = fields_.number(system, "version").value_or(0);
    if (topo_.version > 2) {
      fields_.fail("nccl-version", system.line,
                   fmt::format("topology version {} is not known", topo_.version),
                   "NCCL writes version 1, RCCL version 2");
    }
    for (const XmlElement& element : system.children) {
      if (element.name == "cpu") {
        read_cpu(element);
      } else {
        leave_out(element);
      }
    }
    number_gpus(topo_);
    return std::move(topo_);
  }

 private:
  void read_cpu(const XmlElement& element) {
    NcclCpu cpu;
    cpu.line = element.line;
    cpu.numa = element.value("numaid");
    if (cpu.numa.empty()) {
      fields_.fail("xml-attribute", element.line, "<cpu> has no numaid",
                   "NCCL needs the NUMA node of every CPU: numaid=\"0\"");
    }
    cpu.affinity = element.value("affinity");
    cpu.arch = element.value("arch");
    cpu.vendor = element.value("vendor");
    cpu.family = fields_.number(element, "familyid");
    cpu.model = fields_.number(element, "modelid");
    check_host(element);
    topo_.cpus.push_back(std::move(cpu));
    for (const XmlElement& child : element.children) read_below(child, kNoPci);
  }

  void check_host(const XmlElement& cpu) {
    const std::string_view host = cpu.value("host_hash");
    if (host_.empty()) host_ = host;
    if (host == host_) return;
    fields_.fail("nccl-hosts", cpu.line, "the CPUs belong to several hosts",
                 "a text about one machine is read; set NCCL_MNNVL_ENABLE=0 when dumping");
  }

  void read_below(const XmlElement& element, int parent) {
    if (element.name == "pci") {
      read_pci(element, parent);
    } else if (element.name == "nic") {
      read_nic(element, parent);
    } else if (element.name != "gpu") {
      leave_out(element);
    }
  }

  void read_pci(const XmlElement& element, int parent) {
    NcclPci pci;
    pci.line = element.line;
    pci.busid = read_busid(element);
    pci.pci_class = element.value("class");
    pci.vendor = element.value("vendor");
    pci.device = element.value("device");
    pci.subsystem_vendor = element.value("subsystem_vendor");
    pci.subsystem_device = element.value("subsystem_device");
    pci.link_speed = element.value("link_speed");
    pci.link_width = std::max(0, fields_.number(element, "link_width").value_or(0));
    pci.bandwidth = nccl_pcie_bandwidth(pcie_generation(pci.link_speed), pci.link_width);
    pci.parent = parent;
    pci.cpu = static_cast<int>(topo_.cpus.size()) - 1;
    if (const XmlElement* gpu = element.child("gpu")) pci.gpu = read_gpu(*gpu);
    pci.role = role_of(pci, element);
    const int position = static_cast<int>(topo_.pcis.size());
    const bool has_port = element.child("nic") != nullptr;
    if (pci.role == PciRole::kNic && !has_port)
      add_net(pci.busid, std::nullopt, position, pci.line);
    topo_.pcis.push_back(std::move(pci));
    for (const XmlElement& child : element.children) read_below(child, position);
  }

  std::string read_busid(const XmlElement& element) {
    const std::string_view text = element.value("busid");
    const std::optional<std::string> busid = canonical_busid(text);
    if (!busid) {
      fields_.fail("nccl-busid", element.line,
                   fmt::format("<{}> has the bus id \"{}\"", element.name, text),
                   "a bus id reads domain:bus:device.function, 0000:0f:00.0");
      return std::string(text);
    }
    const auto [first, fresh] = line_of_.try_emplace(*busid, element.line);
    if (!fresh) {
      fields_.fail("nccl-busid", element.line,
                   fmt::format("bus id {} is also in line {}", *busid, first->second),
                   "every device has a bus id of its own");
    }
    return *busid;
  }

  NcclGpu read_gpu(const XmlElement& element) {
    NcclGpu gpu;
    gpu.line = element.line;
    gpu.dev = fields_.required(element, "dev", "NCCL numbers its GPUs: dev=\"0\"");
    gpu.sm = fields_.number(element, "sm").value_or(0);
    gpu.gcn = element.value("gcn");
    for (const XmlElement& child : element.children) {
      if (const auto kind = link_kind(child.name)) {
        gpu.links.push_back(read_link(child, *kind));
      } else {
        leave_out(child);
      }
    }
    return gpu;
  }

  NcclLink read_link(const XmlElement& element, NcclLinkKind kind) {
    NcclLink link;
    link.kind = kind;
    link.line = element.line;
    link.target_class = element.value("tclass");
    link.count = fields_.required(element, "count", "NCCL writes how many links: count=\"1\"");
    link.mb_per_second = fields_.number(element, "bw").value_or(0);
    if (link.count < 1 || link.count > kMaxGpuLinks) {
      fields_.fail("nccl-links", element.line,
                   fmt::format("count=\"{}\" of <{}>", element.value("count"), element.name),
                   fmt::format("a GPU has 1 to {} links", kMaxGpuLinks));
      link.count = 0;
    }
    if (kind == NcclLinkKind::kC2c) return link;
    if (const auto target = canonical_busid(element.value("target"))) {
      link.target = *target;
    } else {
      fields_.fail("nccl-busid", element.line,
                   fmt::format("<{}> leads to \"{}\"", element.name, element.value("target")),
                   "the target is a bus id, 0000:0f:00.0");
    }
    return link;
  }

  void read_nic(const XmlElement& nic, int pci) {
    for (const XmlElement& net : nic.children) {
      if (net.name != "net") {
        leave_out(net);
        continue;
      }
      std::string name(net.value("name"));
      if (name.empty()) name = fmt::format("net{}", topo_.nets.size());
      const auto speed = read_speed(net, name);
      add_net(std::move(name), speed, pci, net.line);
    }
  }

  std::optional<std::int64_t> read_speed(const XmlElement& net, const std::string& name) {
    const auto mbit_per_s = fields_.number(net, "speed");
    if (!mbit_per_s || *mbit_per_s <= 0) return std::nullopt;  // NCCL: the plugin does not know
    if (*mbit_per_s <= kFastestPort) return *mbit_per_s;
    fields_.warn("nccl-net-speed", net.line,
                 fmt::format("{} has {} Gbit/s, more than any port: its speed counts as unknown",
                             name, *mbit_per_s / 1000),
                 "speed is in Mbit/s: 200000 is 200 Gbit/s");
    return std::nullopt;
  }

  void add_net(std::string name, std::optional<std::int64_t> mbit_per_s, int pci, int line) {
    topo_.nets.push_back(
        {std::move(name), mbit_per_s, pci, static_cast<int>(topo_.cpus.size()) - 1, line});
  }

  void leave_out(const XmlElement& element) {
    if (!left_out_.insert(element.name).second) return;
    fields_.warn("nccl-element", element.line,
                 fmt::format("<{}> is left out: it is not modelled", element.name));
  }

  // Mbit/s: ten times the fastest port sold. More is a slip of the unit.
  static constexpr int kFastestPort = 8'000'000;

  XmlFields fields_;
  NcclTopo topo_;
  std::string host_;
  std::map<std::string, int> line_of_;
  std::set<std::string> left_out_;
};

}  // namespace

std::optional<std::string> canonical_busid(std::string_view text) {
  std::string id(text);
  for (char& c : id) {
    if (c >= 'A' && c <= 'F') c = static_cast<char>(c - 'A' + 'a');
  }
  const std::size_t bus = id.find(':');
  const std::size_t device = bus == std::string::npos ? bus : id.find(':', bus + 1);
  const std::size_t function = device == std::string::npos ? device : id.find('.', device + 1);
  if (function == std::string::npos) return std::nullopt;
  const std::string_view all(id);
  const bool sound = bus <= 8 && device - bus == 3 && function - device == 3 &&
                     id.size() == function + 2 && is_hex(all.substr(0, bus)) &&
                     is_hex(all.substr(bus + 1, 2)) && is_hex(all.substr(device + 1, 2)) &&
                     is_hex(all.substr(function + 1));
  if (!sound) return std::nullopt;
  if (bus > 4 && all.substr(0, bus - 4).find_first_not_of('0') == std::string_view::npos) {
    id.erase(0, bus - 4);
  }
  return id;
}

std::optional<NcclTopo> read_nccl_topo(const XmlElement& system, const std::string& file,
                                       Diagnostics& out) {
  const int before = out.error_count();
  NcclTopo topo = Reader(file, out).read(system);
  if (topo.gpus.size() > kMaxMachineGpus) {
    out.error("nccl-gpus", file, "", system.line,
              fmt::format("{} GPUs, at most {} in a machine", topo.gpus.size(), kMaxMachineGpus),
              "give the file of one machine");
    return std::nullopt;
  }
  check_nccl_topo(topo, system.line, file, out);
  if (out.error_count() != before) return std::nullopt;
  return topo;
}

}  // namespace heddle::io
