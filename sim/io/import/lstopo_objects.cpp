#include "sim/io/import/lstopo_objects.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "sim/base/number_text.h"
#include "sim/io/import/nccl_topo_reader.h"
#include "sim/io/import/pcie_rate.h"
#include "sim/io/import/xml_fields.h"

namespace heddle::io {
namespace {

bool is_type(const XmlElement& element, std::string_view type) {
  return element.name == "object" && element.value("type") == type;
}

bool is_package(const XmlElement& element) {
  return is_type(element, "Package") || is_type(element, "Socket");  // Socket: hwloc before 1.11
}

std::string_view info(const XmlElement& object, std::string_view name) {
  for (const XmlElement& child : object.children) {
    if (child.name == "info" && child.value("name") == name) return child.value("value");
  }
  return {};
}

const XmlElement* package_inside(const XmlElement& object) {
  if (is_package(object)) return &object;
  for (const XmlElement& child : object.children) {
    if (const XmlElement* found = package_inside(child)) return found;
  }
  return nullptr;
}

/// NUMA nodes an object stands for: itself (hwloc 1) or its memory children (hwloc 2).
std::string numa_of(const XmlElement& object) {
  if (is_type(object, "NUMANode")) return std::string(object.value("os_index"));
  std::string list;
  for (const XmlElement& child : object.children) {
    if (!is_type(child, "NUMANode")) continue;
    list += fmt::format("{}{}", list.empty() ? "" : ",", child.value("os_index"));
  }
  return list;
}

/// "x86_64" as NCCL names it.
std::string arch_name(std::string_view hwloc_name) {
  if (hwloc_name == "aarch64") return "arm64";
  if (hwloc_name == "ppc64le") return "ppc64";
  return std::string(hwloc_name);
}

/// What an object inherits from those around it.
struct Surroundings {
  const XmlElement* numa = nullptr;  // the object that has NUMA nodes
  const XmlElement* package = nullptr;
  int host_bridge = -1;
  int bridges = 0;      // PCI bridges below the host bridge
  int parent = kNoPci;  // the switch above
};

/// "0302 [10de:1db8] [10de:131d] a1 00"
struct PciType {
  std::string pci_class, vendor, device;
};

std::optional<PciType> pci_type(std::string_view text) {
  if (text.size() < 16 || text.substr(4, 2) != " [" || text[10] != ':' || text[15] != ']') {
    return std::nullopt;
  }
  return PciType{fmt::format("0x{}00", text.substr(0, 4)), fmt::format("0x{}", text.substr(6, 4)),
                 fmt::format("0x{}", text.substr(11, 4))};
}

class Reader {
 public:
  Reader(const XmlElement& topology, const std::string& file, Diagnostics& out)
      : fields_(file, out), new_osdev_types_(topology.value("version").starts_with("3")) {
    find_arch(topology);
    for (const XmlElement& child : topology.children) {
      if (child.name == "object") find_arch(child);
    }
  }

  void walk(const XmlElement& object, Surroundings around) {
    if (object.name != "object") return;
    const std::string_view type = object.value("type");
    if (type == "PCIDev") {
      read_device(object, around);
      return;
    }
    if (!numa_of(object).empty()) around.numa = &object;
    if (is_package(object)) around.package = &object;
    if (type == "Bridge") enter_bridge(object, around);
    if (type == "OSDev") add_osdev(object);
    for (const XmlElement& child : object.children) walk(child, around);
  }

  LstopoMachine finish() {
    std::sort(machine_.osdevs.begin(), machine_.osdevs.end());
    return std::move(machine_);
  }

 private:
  void find_arch(const XmlElement& object) {
    const std::string_view arch = info(object, "Architecture");
    if (!arch.empty()) arch_ = arch_name(arch);
  }

  void enter_bridge(const XmlElement& bridge, Surroundings& around) {
    if (bridge.value("bridge_type").starts_with("0-")) {
      around.host_bridge = host_bridges_++;
      around.bridges = 0;
      around.parent = kNoPci;
      return;
    }
    ++around.bridges;
    if (around.bridges % 2 != 0) return;  // a root port or the lower port of a switch
    NcclPci pci = device(bridge, around);
    pci.role = PciRole::kSwitch;
    around.parent = static_cast<int>(machine_.topo.pcis.size());
    machine_.topo.pcis.push_back(std::move(pci));
  }

  NcclPci device(const XmlElement& object, const Surroundings& around) {
    NcclPci pci;
    pci.line = object.line;
    const auto busid = canonical_busid(object.value("pci_busid"));
    const auto type = pci_type(object.value("pci_type"));
    if (!busid || !type) {
      fields_.fail("lstopo-pci", object.line,
                   fmt::format("pci_busid \"{}\", pci_type \"{}\"", object.value("pci_busid"),
                               object.value("pci_type")),
                   "hwloc writes 0000:34:00.0 and 0302 [10de:1db8] [10de:131d] a1 00");
      return pci;
    }
    pci.busid = *busid;
    pci.pci_class = type->pci_class;
    pci.vendor = type->vendor;
    pci.device = type->device;
    const std::string_view speed = object.value("pci_link_speed");
    double line_rate = 0;
    std::from_chars(speed.data(), speed.data() + speed.size(), line_rate);
    pci.bandwidth = nccl_pcie_bandwidth(line_rate);
    if (pci.bandwidth) pci.link_speed = fmt::format("{} GB/s", speed);
    pci.parent = around.parent;
    pci.host_bridge = around.host_bridge;
    pci.cpu = cpu(around);
    return pci;
  }

  /// CPUs appear with the first device below them.
  int cpu(const Surroundings& around) {
    const auto known = std::find(cpu_objects_.begin(), cpu_objects_.end(), around.numa);
    if (known != cpu_objects_.end()) return static_cast<int>(known - cpu_objects_.begin());
    NcclCpu cpu;
    cpu.arch = arch_;
    if (around.numa) {
      cpu.numa = numa_of(*around.numa);
      cpu.affinity = around.numa->value("cpuset");
      cpu.line = around.numa->line;
    }
    const XmlElement* package = around.package;
    if (!package && around.numa) package = package_inside(*around.numa);
    if (package) {
      cpu.vendor = info(*package, "CPUVendor");
      cpu.family = number(info(*package, "CPUFamilyNumber"));
      cpu.model = number(info(*package, "CPUModelNumber"));
    }
    cpu_objects_.push_back(around.numa);
    machine_.topo.cpus.push_back(std::move(cpu));
    return static_cast<int>(cpu_objects_.size()) - 1;
  }

  static std::optional<int> number(std::string_view text) {
    if (text.size() > 6) return std::nullopt;
    if (text.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
    return whole_int(text);
  }

  void read_device(const XmlElement& object, const Surroundings& around) {
    for (const XmlElement& child : object.children) {
      if (is_type(child, "OSDev")) add_osdev(child);
    }
    if (object.value("subtype") != "NVSwitch" && !pci_type(object.value("pci_type"))) {
      device(object, around);  // for its diagnostic
      return;
    }
    const PciRole role = role_of(object);
    if (role == PciRole::kUnknown) return;  // disks, consoles, management ports
    NcclPci pci = device(object, around);
    pci.role = role;
    const int position = static_cast<int>(machine_.topo.pcis.size());
    note_indices(object, position);
    if (role == PciRole::kGpu) pci.gpu = gpu(object);
    if (role == PciRole::kNic) add_ports(object, position, pci);
    machine_.topo.pcis.push_back(std::move(pci));
  }

  PciRole role_of(const XmlElement& object) const {
    if (object.value("subtype") == "NVSwitch") return PciRole::kNvSwitch;
    const PciType type = *pci_type(object.value("pci_type"));
    const bool nvidia = type.vendor == "0x10de";
    if (nvidia && type.pci_class.starts_with("0x0680")) return PciRole::kNvSwitch;
    const bool display = type.pci_class.starts_with("0x03") || type.pci_class.starts_with("0x12");
    if (display && (nvidia || type.vendor == "0x1002")) return PciRole::kGpu;
    const bool network = type.pci_class.starts_with("0x02");
    const bool rdma = std::any_of(object.children.begin(), object.children.end(),
                                  [this](const XmlElement& child) { return is_rdma(child); });
    return network && rdma ? PciRole::kNic : PciRole::kUnknown;
  }

  /// An OpenFabrics device: type 3, since hwloc 3 bit 5.
  bool is_rdma(const XmlElement& child) const {
    if (!is_type(child, "OSDev")) return false;
    const int type = number(child.value("osdev_type")).value_or(0);
    return new_osdev_types_ ? (type & 32) != 0 : type == 3;
  }

  void note_indices(const XmlElement& object, int position) {
    if (const auto index = number(object.value("gp_index"))) {
      machine_.pci_of_index.emplace(*index, position);
    }
    for (const XmlElement& child : object.children) {
      const auto index = number(child.value("gp_index"));
      if (is_type(child, "OSDev") && index) machine_.pci_of_index.emplace(*index, position);
    }
  }

  /// The number NVML or ROCm SMI gave it; none if hwloc was built without them.
  static std::optional<NcclGpu> gpu(const XmlElement& object) {
    for (const XmlElement& child : object.children) {
      if (!is_type(child, "OSDev")) continue;
      const std::string_view name = child.value("name");
      if (!name.starts_with("nvml") && !name.starts_with("rsmi")) continue;
      const auto dev = number(name.substr(4));
      if (!dev) continue;
      NcclGpu gpu;
      gpu.dev = *dev;
      gpu.line = child.line;
      return gpu;
    }
    return std::nullopt;
  }

  void add_ports(const XmlElement& object, int position, const NcclPci& pci) {
    for (const XmlElement& child : object.children) {
      if (!is_rdma(child)) continue;
      machine_.topo.nets.push_back(
          {std::string(child.value("name")), std::nullopt, position, pci.cpu, child.line});
    }
  }

  void add_osdev(const XmlElement& object) { machine_.osdevs.emplace_back(object.value("name")); }

  XmlFields fields_;
  bool new_osdev_types_;
  std::string arch_;
  LstopoMachine machine_;
  std::vector<const XmlElement*> cpu_objects_;
  int host_bridges_ = 0;
};

}  // namespace

LstopoMachine read_lstopo_objects(const XmlElement& topology, const std::string& file,
                                  Diagnostics& out) {
  Reader reader(topology, file, out);
  for (const XmlElement& object : topology.children) reader.walk(object, {});
  return reader.finish();
}

}  // namespace heddle::io
