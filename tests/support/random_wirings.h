#pragma once
// Random machines and clusters for properties of collectives, and copies of a fabric with other
// capacities or labels. Header only.

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/clusters.h"
#include "tests/support/shuffle.h"

namespace heddle::test {

struct Job {
  fabric::Fabric fabric;
  std::vector<fabric::DeviceId> members;  // rank order
};

inline fabric::Fabric cube_mesh(const Machine& machine, Bandwidth link) {
  fabric::FabricBuilder builder = two_sockets(machine);
  for (const auto& [a, b, links] : kCubeMesh) {
    builder.add_duplex({fabric::DeviceId(static_cast<std::size_t>(a)),
                        fabric::DeviceId(static_cast<std::size_t>(b)),
                        fabric::LinkKind::kNvlink,
                        link * links,
                        {},
                        links});
  }
  return frozen(std::move(builder));
}

inline Machine random_machine(Rng& rng) {
  Machine machine;
  machine.comm = comm_of_the_notes();
  machine.nvlink = mb_per_s(rng.uniform_int(60'000, 900'000));
  machine.pcie = mb_per_s(rng.uniform_int(6'000, 110'000));
  machine.between_sockets = mb_per_s(rng.uniform_int(6'000, 100'000));
  return machine;
}

inline fabric::Fabric random_cluster(Rng& rng, const Machine& machine) {
  Cluster cluster;
  cluster.machine = machine;
  cluster.nodes = static_cast<int>(rng.uniform_int(2, 4));
  cluster.gpus = static_cast<int>(std::int64_t{1} << rng.uniform_int(0, 3));
  cluster.nics = std::max(1, cluster.gpus >> rng.uniform_int(0, 1));
  cluster.has_nvswitch = rng.chance(0.7);
  cluster.is_rail_optimised = rng.chance(0.5);
  cluster.nic = mb_per_s(rng.uniform_int(1'000, 100'000));
  return cluster_fabric(cluster);
}

/// All GPUs of a random machine or cluster, in random order.
inline Job random_job(Rng& rng) {
  const Machine machine = random_machine(rng);
  const std::array<std::function<fabric::Fabric()>, 5> families{
      [&] { return nvswitch_node(machine); }, [&] { return bridged_quads(machine); },
      [&] { return pcie_node(machine); }, [&] { return cube_mesh(machine, mb_per_s(20'000)); },
      [&] { return random_cluster(rng, machine); }};
  Job job{families[static_cast<std::size_t>(rng.uniform_int(0, 4))](), {}};
  job.members = all_gpus(job.fabric);
  shuffle(job.members, rng);
  return job;
}

/// A copy whose links are what `change` makes of them.
inline fabric::Fabric with_links(const fabric::Fabric& fabric,
                                 const std::function<void(fabric::LinkId, fabric::Link&)>& change) {
  fabric::FabricBuilder builder(fabric.name(), fabric.gpu_model());
  for (const fabric::Device& device : fabric.devices()) builder.add_device(device);
  for (std::size_t i = 0; i < fabric.links().size(); ++i) {
    fabric::Link link = fabric.links()[i];
    change(fabric::LinkId(i), link);
    builder.add_link(link);
  }
  builder.set_comm(fabric.comm());
  return frozen(std::move(builder));
}

/// The same machines under other names, ids, node and GPU numbers; the same ranks on the same GPUs.
inline Job relabelled(const Job& job, Rng& rng) {
  const fabric::Fabric& old = job.fabric;
  fabric::FabricBuilder builder(old.name(), old.gpu_model());
  const auto nodes = random_permutation(static_cast<std::size_t>(old.node_count()), rng);
  const auto numbers = random_permutation(64, rng);  // more than any machine has GPUs
  std::vector<fabric::DeviceId> now(old.devices().size());
  for (int at : random_permutation(old.devices().size(), rng)) {
    const auto i = static_cast<std::size_t>(at);
    fabric::Device device = old.devices()[i];
    device.name = "d" + std::to_string(at);
    if (device.node >= 0) device.node = nodes[static_cast<std::size_t>(device.node)];
    if (device.kind == fabric::DeviceKind::kGpu) {
      device.index = numbers[static_cast<std::size_t>(device.index)];
    }
    now[i] = builder.add_device(device);
  }
  for (int at : random_permutation(old.links().size(), rng)) {
    fabric::Link link = old.links()[static_cast<std::size_t>(at)];
    link.from = now[link.from.index()];
    link.to = now[link.to.index()];
    builder.add_link(link);
  }
  builder.set_comm(old.comm());
  Job job_now{frozen(std::move(builder)), {}};
  for (fabric::DeviceId gpu : job.members) job_now.members.push_back(now[gpu.index()]);
  return job_now;
}

}  // namespace heddle::test
