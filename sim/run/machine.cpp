#include "sim/run/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "sim/run/background.h"
#include "sim/run/folding.h"

namespace heddle::run {
namespace {

/// Where the choice stands.
struct Place {
  const std::string& file;
  const FabricChoice& choice;

  void blame(Diagnostic d, Diagnostics& out) const {
    d.file = file;
    d.pointer = choice.pointer;
    d.line = choice.line;
    out.add(std::move(d));
  }
};

/// Problems found without a place get that of the choice in the scenario.
void add_in_place(const Diagnostics& found, const Place& place, Diagnostics& out) {
  for (const Diagnostic& d : found.all()) {
    if (d.file.empty()) {
      place.blame(d, out);
    } else {
      out.add(d);
    }
  }
}

std::optional<fabric::Fabric> resolve_wiring(const FabricChoice& choice,
                                             const HardwareCatalog& catalog, const ReadText& read,
                                             Diagnostics& out) {
  if (choice.import_file.empty()) {
    if (!choice.is_cluster()) return catalog.node(choice.node, out);
    if (!can_fold(choice) && choice.nodes > kMostWholeNodes) {
      out.error(
          "out-of-range", "", "", 0,
          fmt::format("more than {} machines need all GPUs in the machines' order, no background "
                      "and no change but slow GPUs of the first machines",
                      kMostWholeNodes),
          "ask for fewer \"nodes\"");
      return std::nullopt;
    }
    return can_fold(choice) ? catalog.folded_cluster(choice.node, choice.nodes, choice.network, out)
                            : catalog.cluster(choice.node, choice.nodes, choice.network, out);
  }
  if (choice.is_cluster()) {
    out.error("unsupported-wiring", "", "", 0,
              "a text describes one machine; several of it are not modelled",
              "name a preset as \"node\", or leave out \"nodes\" and \"network\"");
    return std::nullopt;
  }
  return catalog.from_import({read(choice.import_file), choice.import_name, choice.import_kind,
                              choice.import_gpu, choice.like_node},
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

/// The GPUs of all machines in the order of the ranks.
std::vector<fabric::DeviceId> all_gpus(const fabric::Fabric& fabric, RankOrder order) {
  std::vector<fabric::DeviceId> members(fabric.gpus().begin(), fabric.gpus().end());
  if (order == RankOrder::kNode) return members;
  std::stable_sort(members.begin(), members.end(), [&](fabric::DeviceId a, fabric::DeviceId b) {
    return fabric.device(a).index < fabric.device(b).index;
  });
  return members;
}

/// `rank`: where it stands in the choice's list.
void report_unknown_gpu(const fabric::Fabric& fabric, const GpuPlace& missing, std::size_t rank,
                        const Place& place, Diagnostics& out) {
  const auto gpus = fabric.node_gpus(0);
  const FabricChoice& choice = place.choice;
  const std::string pointer = choice.nodes == 1 ? fmt::format("{}/gpus/{}", choice.pointer, rank)
                                                : fmt::format("{}/gpus", choice.pointer);
  out.error("unknown-gpu", place.file, pointer, choice.line,
            fmt::format("GPU {} does not exist: {} has {} GPUs{}", missing.gpu, fabric.name(),
                        gpus.size(), choice.nodes == 1 ? "" : " per node"),
            fmt::format("use numbers from {} to {}", fabric.device(gpus.front()).index,
                        fabric.device(gpus.back()).index));
}

/// GPU numbers to devices; each number the machines lack is an error.
std::vector<fabric::DeviceId> resolve_gpus(const FabricChoice& choice, const fabric::Fabric& fabric,
                                           const Place& place, Diagnostics& out) {
  if (choice.gpus.empty()) return all_gpus(fabric, choice.rank_order);
  std::vector<fabric::DeviceId> members;
  std::set<int> unknown;
  for (std::size_t i = 0; i < choice.gpus.size(); ++i) {
    const auto found = find_gpu(fabric, choice.gpus[i]);
    if (found) {
      members.push_back(*found);
    } else if (unknown.insert(choice.gpus[i].gpu).second) {
      report_unknown_gpu(fabric, choice.gpus[i], i, place, out);
    }
  }
  if (!unknown.empty()) members.clear();
  return members;
}

/// Speeds by rank; none if all are full.
std::vector<std::int64_t> rank_speeds(const FabricChoice& choice, const fabric::Fabric& fabric,
                                      std::span<const fabric::DeviceId> members) {
  if (choice.changes.empty()) return {};
  const std::vector<std::int64_t> speeds = fabric::gpu_speeds(fabric, choice.changes);
  std::vector<std::int64_t> by_rank;
  for (const fabric::DeviceId member : members) by_rank.push_back(speeds[member.index()]);
  const bool all_full =
      std::all_of(by_rank.begin(), by_rank.end(), [](std::int64_t s) { return s == kPpb; });
  return all_full ? std::vector<std::int64_t>{} : by_rank;
}

}  // namespace

std::optional<fabric::DeviceId> find_gpu(const fabric::Fabric& fabric, const GpuPlace& place) {
  if (place.node >= fabric.node_count()) return std::nullopt;
  const auto gpus = fabric.node_gpus(place.node);
  const auto found = std::find_if(gpus.begin(), gpus.end(), [&](fabric::DeviceId id) {
    return fabric.device(id).index == place.gpu;
  });
  return found == gpus.end() ? std::nullopt : std::optional(*found);
}

std::optional<Machine> resolve_machine(const FabricChoice& choice, const std::string& file,
                                       const HardwareCatalog& catalog, const ReadText& read,
                                       Diagnostics& out) {
  const Place place{file, choice};
  Diagnostics found;
  auto fabric = resolve_fabric(choice, catalog, read, found);
  add_in_place(found, place, out);
  if (fabric && !choice.changes.empty()) {
    fabric = fabric::with_changes(*fabric, choice.changes, file, out);
  }
  if (!fabric) return std::nullopt;
  const auto gpu = catalog.gpu(fabric->gpu_model(), out);
  const auto members = resolve_gpus(choice, *fabric, place, out);
  if (!gpu || members.empty()) return std::nullopt;
  Diagnostics refused;
  const auto tuning = catalog.nccl_tuning(gpu->architecture, choice.nccl_version, refused);
  add_in_place(refused, place, out);
  if (!tuning) return std::nullopt;
  refused = {};
  auto world = collective::CollectiveModel::create(*fabric, members, choice.comm, *tuning, refused);
  // It knows the fabric, not where the scenario names it.
  for (const Diagnostic& d : refused.all()) place.blame(d, out);
  if (!world) return std::nullopt;
  const int errors_before = out.error_count();
  auto background = resolve_background(choice.background,
                                       {*fabric, members, choice.comm.p2p, *tuning, file}, out);
  if (out.error_count() > errors_before) return std::nullopt;
  auto speeds = rank_speeds(choice, *fabric, members);
  return Machine{std::move(*fabric),
                 *gpu,
                 members,
                 *tuning,
                 std::move(*world),
                 std::move(speeds),
                 std::move(background),
                 catalog.gpu_facts(gpu->name)};
}

}  // namespace heddle::run
