#include "sim/io/import/topo_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/io/import/pci_ids.h"
#include "sim/io/import/pci_paths.h"
#include "sim/io/import/topo_inferences.h"
#include "sim/io/json_writer.h"

namespace heddle::io {
namespace {

bool has_xgmi(const NcclPci& gpu) {
  return gpu.gpu && std::any_of(gpu.gpu->links.begin(), gpu.gpu->links.end(),
                                [](const auto& link) { return link.kind == NcclLinkKind::kXgmi; });
}

std::vector<ImportedGpu> gpus_of(const NcclTopo& topo) {
  std::vector<ImportedGpu> gpus;
  for (std::size_t i = 0; i < topo.gpus.size(); ++i) {
    const NcclPci& pci = topo.gpu(i);
    const NcclCpu& cpu = topo.cpu_of(pci);
    ImportedGpu gpu;
    gpu.number = topo.gpu_number(i);
    gpu.line = pci.line;
    if (!cpu.numa.empty()) gpu.numa = cpu.numa;
    gpu.cpu_affinity = cpu.affinity;
    gpu.bus_id = pci.busid;
    gpu.model = gpu_of_pci_id(pci.vendor, pci.device);
    gpus.push_back(std::move(gpu));
  }
  return gpus;
}

/// Dedicated links first, then the port into the switches, then the PCI tree.
TokenMatrix gpu_matrix(const NcclTopo& topo, const PciPaths& paths) {
  const LinkCounts direct = count_gpu_links(topo);
  const std::vector<int> to_switch = count_switch_links(topo);
  TokenMatrix matrix;
  for (std::size_t a = 0; a < direct.size(); ++a) {
    auto& row = matrix.emplace_back();
    for (std::size_t b = 0; b < direct.size(); ++b) {
      const int links = direct[a][b] + std::min(to_switch[a], to_switch[b]);
      if (a == b) {
        row.emplace_back("X");
      } else if (links > 0) {
        row.emplace_back(has_xgmi(topo.gpu(a)) ? "XGMI" : fmt::format("NV{}", links));
      } else {
        row.emplace_back(paths.token(paths.of_pci(topo.gpus[a]), paths.of_pci(topo.gpus[b])));
      }
    }
  }
  return matrix;
}

TokenMatrix gpu_nic(const NcclTopo& topo, const PciPaths& paths) {
  TokenMatrix matrix;
  for (const int gpu : topo.gpus) {
    auto& row = matrix.emplace_back();
    for (const NcclNet& net : topo.nets) {
      row.emplace_back(paths.token(paths.of_pci(gpu), paths.of_net(net)));
    }
  }
  return matrix;
}

bool any(const std::vector<int>& counts) {
  return std::any_of(counts.begin(), counts.end(), [](int links) { return links > 0; });
}

void write_links(const NcclTopo& topo, JsonWriter& writer) {
  const LinkCounts counts = count_gpu_links(topo);
  const std::vector<int> to_switch = count_switch_links(topo);
  if (!any(to_switch) && std::none_of(counts.begin(), counts.end(), any)) return;
  writer.key("nvlink_or_xgmi_count").begin_array().inline_from_here();
  for (const std::vector<int>& row : counts) {
    writer.begin_array();
    for (const int links : row) writer.value(links);
    writer.end_array();
  }
  writer.end_array();
  if (!any(to_switch)) return;
  writer.key("links_to_switch").begin_object();
  for (std::size_t i = 0; i < to_switch.size(); ++i) {
    writer.field(std::to_string(topo.gpu_number(i)), to_switch[i]);
  }
  writer.end_object();
}

}  // namespace

void NcclTopoDetails::write(JsonWriter& writer) const {
  if (topo.version > 0) writer.field("version", topo.version);
  writer.key("numa").begin_object();
  for (std::size_t i = 0; i < topo.gpus.size(); ++i) {
    writer.field(topo.gpu(i).busid, topo.cpu_of(topo.gpu(i)).numa);
  }
  writer.end_object();
  write_links(topo, writer);
  if (!osdevs.empty()) {
    writer.key("osdevs").begin_array();
    for (const std::string& name : osdevs) writer.value(name);
    writer.end_array();
  }
}

Imported import_topo(NcclTopo topo, std::vector<std::string> osdevs) {
  auto details = std::make_shared<NcclTopoDetails>();
  details->topo = std::move(topo);
  details->osdevs = std::move(osdevs);
  const NcclTopo& machine = details->topo;
  const PciPaths paths(machine);
  Imported imported;
  imported.gpus = gpus_of(machine);
  for (const NcclNet& net : machine.nets) imported.nics.push_back({net.name, net.line});
  imported.gpu_matrix = gpu_matrix(machine, paths);
  imported.gpu_nic = gpu_nic(machine, paths);
  imported.inferences = infer(machine);
  imported.details = std::move(details);
  return imported;
}

}  // namespace heddle::io
