#pragma once
// Small machines for tests of collectives, with the parameters that the tests' hand calculations
// use. Header only, so that unit tests need nothing but the module.

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/check.h"
#include "sim/collective/collective_model.h"
#include "sim/collective/wiring.h"
#include "sim/fabric/fabric_builder.h"

namespace heddle::test {

/// In MB/s, so that 123.6 GB/s stays exact.
constexpr Bandwidth mb_per_s(std::int64_t n) {
  return {n * 1'000'000};
}

struct Machine {
  fabric::CommParameters comm;
  Bandwidth nvlink = mb_per_s(123'600);  // a pair's bundle, or a port into the switch
  Bandwidth pcie = mb_per_s(55'000);
  Bandwidth between_sockets = mb_per_s(60'000);
};

inline fabric::CommParameters comm_of_the_notes() {
  fabric::CommParameters comm;
  comm.ring_efficiency = 0.893;
  comm.nvls_efficiency = 0.81;
  comm.pcie_ring_efficiency = 0.9;
  comm.host_staging = {4, mb_per_s(11'750), mb_per_s(10'375)};  // 47 and 41.5 GB/s in all
  return comm;
}

inline void add_tree(collective::TreeTuning& tree) {
  tree.base = {nanoseconds(6'800), nanoseconds(14'000), nanoseconds(8'400)};
  tree.nvlink_hop = {nanoseconds(600), nanoseconds(1'250), nanoseconds(4'000)};
  tree.pcie_hop = {nanoseconds(1'000), nanoseconds(1'900), nanoseconds(4'000)};
  tree.network_hop = {nanoseconds(5'000), nanoseconds(8'500), nanoseconds(14'000)};
  tree.efficiency = 0.92;
  tree.channel_cap = {mb_per_s(38'700), mb_per_s(41'400), mb_per_s(36'000)};
  tree.ll128_channel_cap = {mb_per_s(36'700), mb_per_s(36'700), mb_per_s(29'000)};
  tree.ll_efficiency = 1 / 3.8;
  tree.ll128_share_inside = 7.0 / 9;
  tree.ll128_share_across = 15.0 / 16;
  tree.plain_share = 0.85;
  for (auto& shares : tree.size_share) shares.fill(1);
}

inline collective::NcclTuning hopper() {
  collective::NcclTuning tuning;
  tuning.name = "hopper";
  for (int speed : {60, 50, 40, 30, 24, 20, 15, 12, 11, 6, 3}) {
    tuning.ring_speeds.push_back(mb_per_s(1'000 * speed));
  }
  tuning.split_from = mb_per_s(25'000);
  tuning.split_always = mb_per_s(50'000);
  tuning.split_rings_max = 4;
  tuning.max_ctas = 64;
  tuning.ring_base = {nanoseconds(6'600), nanoseconds(14'000), nanoseconds(8'400)};
  tuning.ring_nvlink_hop = {nanoseconds(600), nanoseconds(1'900), nanoseconds(3'400)};
  tuning.ring_pcie_hop = {nanoseconds(1'000), nanoseconds(2'500), nanoseconds(5'700)};
  tuning.ll_efficiency = 0.5;
  tuning.ll128_efficiency = 0.92;
  tuning.ll_bus_cap = mb_per_s(141'000);
  tuning.ll128_channel_cap = mb_per_s(36'700);
  for (int tenths : {480, 450, 420, 400, 300, 240, 220, 200, 175, 150, 120, 60, 30}) {
    tuning.network.ring_speeds.push_back(mb_per_s(100 * tenths));
  }
  tuning.network.ring_hop = {nanoseconds(2'700), nanoseconds(4'000), nanoseconds(14'000)};
  tuning.network.ll_bus_cap_intel = {mb_per_s(141'000), mb_per_s(45'000), mb_per_s(35'000)};
  tuning.network.post_intel = microseconds(1);
  tuning.network.large_ring_factor = 1.4;
  tuning.network.ll128_through_peer_nic = true;
  tuning.nvls = {microseconds(25), 0.85, 16};
  tuning.nvls_tree = {microseconds(25), nanoseconds(20'900), 2, 1, {}};
  tuning.pat = {microseconds(8), microseconds(4), nanoseconds(2'800), 0.75};
  add_tree(tuning.tree);
  return tuning;
}

/// Eight GPUs, four on each of two sockets, without NVLink; gpu i is device i.
inline fabric::FabricBuilder two_sockets(const Machine& machine) {
  fabric::FabricBuilder builder("machine", "H200");
  for (int i = 0; i < 8; ++i) {
    builder.add_device({fabric::DeviceKind::kGpu, "gpu" + std::to_string(i), 0, i / 4, i});
  }
  std::vector<fabric::DeviceId> cpus;
  for (int i = 0; i < 2; ++i) {
    cpus.push_back(
        builder.add_device({fabric::DeviceKind::kCpu, "cpu" + std::to_string(i), 0, i, i}));
  }
  for (std::size_t i = 0; i < 8; ++i) {
    builder.add_duplex(
        {fabric::DeviceId(i), cpus[i / 4], fabric::LinkKind::kPcie, machine.pcie, {}, 16});
  }
  builder.add_duplex(
      {cpus[0], cpus[1], fabric::LinkKind::kCpuInterconnect, machine.between_sockets, {}, 1});
  builder.set_comm(machine.comm);
  return builder;
}

inline fabric::Fabric frozen(fabric::FabricBuilder builder) {
  Diagnostics problems;
  std::optional<fabric::Fabric> fabric = std::move(builder).freeze("test", problems);
  HEDDLE_CHECK(fabric.has_value(), format(problems.all().front()));
  return *std::move(fabric);
}

inline fabric::Fabric nvswitch_node(const Machine& machine) {
  fabric::FabricBuilder builder = two_sockets(machine);
  const auto hub = builder.add_device({fabric::DeviceKind::kNvSwitch, "nvswitch0", 0, 0, 0});
  for (std::size_t i = 0; i < 8; ++i) {
    builder.add_duplex(
        {fabric::DeviceId(i), hub, fabric::LinkKind::kNvlink, machine.nvlink, {}, 18});
  }
  return frozen(std::move(builder));
}

/// GPUs 0-3 and 4-7, all pairs inside each four bridged.
inline fabric::Fabric bridged_quads(const Machine& machine) {
  fabric::FabricBuilder builder = two_sockets(machine);
  for (std::size_t a = 0; a < 8; ++a) {
    for (std::size_t b = a + 1; b < 8 && b / 4 == a / 4; ++b) {
      builder.add_duplex({fabric::DeviceId(a),
                          fabric::DeviceId(b),
                          fabric::LinkKind::kNvlink,
                          machine.nvlink,
                          {},
                          6});
    }
  }
  return frozen(std::move(builder));
}

/// The pairs of the eight V100s of a DGX-1 that are joined, and by how many NVLinks.
inline constexpr std::array<std::array<int, 3>, 16> kCubeMesh{{{0, 1, 1},
                                                               {0, 2, 1},
                                                               {0, 3, 2},
                                                               {0, 4, 2},
                                                               {1, 2, 2},
                                                               {1, 3, 1},
                                                               {1, 5, 2},
                                                               {2, 3, 2},
                                                               {2, 6, 1},
                                                               {3, 7, 1},
                                                               {4, 5, 1},
                                                               {4, 6, 1},
                                                               {4, 7, 2},
                                                               {5, 6, 2},
                                                               {5, 7, 1},
                                                               {6, 7, 2}}};

/// Four GPUs below one PCIe switch.
inline fabric::Fabric pcie_node(const Machine& machine) {
  fabric::FabricBuilder builder("machine", "H200");
  for (int i = 0; i < 4; ++i) {
    builder.add_device({fabric::DeviceKind::kGpu, "gpu" + std::to_string(i), 0, 0, i});
  }
  const auto hub = builder.add_device({fabric::DeviceKind::kPcieSwitch, "pcie0", 0, 0, 0});
  const auto cpu = builder.add_device({fabric::DeviceKind::kCpu, "cpu0", 0, 0, 0});
  for (std::size_t i = 0; i < 4; ++i) {
    builder.add_duplex({fabric::DeviceId(i), hub, fabric::LinkKind::kPcie, machine.pcie, {}, 16});
  }
  builder.add_duplex({hub, cpu, fabric::LinkKind::kPcie, machine.pcie, {}, 16});
  builder.set_comm(machine.comm);
  return frozen(std::move(builder));
}

/// 18 NVLinks of 20.6 GB/s payload into the switch.
inline Machine h200_sxm() {
  Machine machine;
  machine.comm = comm_of_the_notes();
  machine.nvlink = mb_per_s(370'800);
  return machine;
}

/// 6 NVLinks of 20.6 GB/s payload per bridged pair.
inline Machine h200_nvl() {
  Machine machine;
  machine.comm = comm_of_the_notes();
  machine.comm.nvls_efficiency = std::nullopt;
  return machine;
}

inline std::vector<fabric::DeviceId> gpus(std::initializer_list<std::size_t> numbers) {
  std::vector<fabric::DeviceId> ids;
  for (std::size_t number : numbers) ids.emplace_back(number);
  return ids;
}

inline std::vector<fabric::DeviceId> first_gpus(std::size_t count) {
  std::vector<fabric::DeviceId> ids;
  for (std::size_t number = 0; number < count; ++number) ids.emplace_back(number);
  return ids;
}

inline collective::Wiring wiring_of(const fabric::Fabric& fabric,
                                    std::vector<fabric::DeviceId> members,
                                    const collective::CommSettings& settings = {}) {
  Diagnostics problems;
  auto wiring = collective::Wiring::create(fabric, std::move(members), settings, problems);
  HEDDLE_CHECK(wiring.has_value(), format(problems.all().front()));
  return *std::move(wiring);
}

inline collective::CollectiveModel model_of(const fabric::Fabric& fabric,
                                            std::vector<fabric::DeviceId> members,
                                            const collective::CommSettings& settings = {},
                                            const collective::NcclTuning& tuning = hopper()) {
  Diagnostics problems;
  auto model =
      collective::CollectiveModel::create(fabric, std::move(members), settings, tuning, problems);
  HEDDLE_CHECK(model.has_value(), format(problems.all().front()));
  return *std::move(model);
}

/// Bus bandwidth in GB/s as nccl-tests would report it.
inline double bus_gb_per_s(const collective::CollectiveModel& model,
                           const collective::CollectiveRequest& request) {
  const double factor = collective::CollectiveModel::bus_factor(request.kind, model.size());
  const double seconds = model.cost(request).total.seconds();
  return static_cast<double>(request.bytes.value) / seconds * factor * 1e-9;
}

}  // namespace heddle::test
