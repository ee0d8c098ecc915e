#include "sim/run/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heddle::run {
namespace {

/// Problems found without a place get that of the choice in the scenario.
void add_in_place(const Diagnostics& found, const std::string& file, const std::string& pointer,
                  Diagnostics& out) {
  for (Diagnostic d : found.all()) {
    if (d.file.empty()) {
      d.file = file;
      d.pointer = pointer;
    }
    out.add(std::move(d));
  }
}

std::optional<fabric::Fabric> resolve_wiring(const FabricChoice& choice,
                                             const HardwareCatalog& catalog, const ReadText& read,
                                             Diagnostics& out) {
  if (choice.topology_file.empty()) return catalog.node(choice.node, out);
  return catalog.from_topology(read(choice.topology_file), choice.topology_name, choice.like_node,
                               out);
}

std::optional<fabric::Fabric> resolve_fabric(const FabricChoice& choice,
                                             const HardwareCatalog& catalog, const ReadText& read,
                                             Diagnostics& out) {
  auto fabric = resolve_wiring(choice, catalog, read, out);
  if (!fabric || choice.overlay.empty()) return fabric;
  OverlaySource source{choice.overlay, std::nullopt};
  if (!choice.overlay_file.empty()) source.text = read(choice.overlay_file);
  const auto comm = catalog.overlaid(fabric->comm(), source, out);
  return comm ? std::optional(std::move(*fabric).with_comm(*comm)) : std::nullopt;
}

/// GPU numbers to devices; numbers the machine lacks are errors.
std::vector<fabric::DeviceId> resolve_gpus(const FabricChoice& choice, const fabric::Fabric& fabric,
                                           const std::string& file, Diagnostics& out) {
  const auto gpus = fabric.gpus();
  std::vector<fabric::DeviceId> members;
  for (std::size_t i = 0; i < choice.gpus.size(); ++i) {
    const GpuPlace& place = choice.gpus[i];
    const auto found = std::find_if(gpus.begin(), gpus.end(), [&](fabric::DeviceId id) {
      return fabric.device(id).node == place.node && fabric.device(id).index == place.gpu;
    });
    if (found != gpus.end()) {
      members.push_back(*found);
      continue;
    }
    const int first = fabric.device(gpus.front()).index;
    out.error(
        "unknown-gpu", file, fmt::format("{}/gpus/{}", choice.pointer, i), 0,
        fmt::format("GPU {} does not exist: {} has {} GPUs", place.gpu, fabric.name(), gpus.size()),
        fmt::format("use numbers from {} to {}", first, fabric.device(gpus.back()).index));
  }
  return members;
}

}  // namespace

std::optional<Machine> resolve_machine(const FabricChoice& choice, const std::string& file,
                                       const HardwareCatalog& catalog, const ReadText& read,
                                       Diagnostics& out) {
  Diagnostics found;
  auto fabric = resolve_fabric(choice, catalog, read, found);
  add_in_place(found, file, choice.pointer, out);
  if (!fabric) return std::nullopt;
  const auto gpu = catalog.gpu(fabric->gpu_model(), out);
  const auto members = resolve_gpus(choice, *fabric, file, out);
  if (!gpu || members.size() != choice.gpus.size()) return std::nullopt;
  Diagnostics refused;
  const auto tuning = catalog.nccl_tuning(gpu->architecture, choice.nccl_version, refused);
  add_in_place(refused, file, choice.pointer, out);
  if (!tuning) return std::nullopt;
  refused = {};
  auto world = collective::CollectiveModel::create(*fabric, members, choice.comm, *tuning, refused);
  for (Diagnostic d : refused.all()) {  // it knows the fabric, not where the scenario names it
    d.file = file;
    d.pointer = choice.pointer;
    out.add(std::move(d));
  }
  if (!world) return std::nullopt;
  return Machine{std::move(*fabric), *gpu, members, std::move(*world)};
}

}  // namespace heddle::run
