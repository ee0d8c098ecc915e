#include "tests/property/fabric/random_cluster.h"

#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "tests/support/shuffle.h"

namespace heddle::fabric {
namespace {

Bandwidth some_capacity(Rng& rng) {
  return {rng.uniform_int(1, 4) * 25'000'000'000};
}

std::string name_of(int node, const std::string& what, int index) {
  return "m" + std::to_string(node) + "." + what + std::to_string(index);
}

/// What machines of one kind have in common.
struct Kind {
  int gpus = 0;
  int sockets = 0;
  int nics = 0;
  bool has_switch = false;
  std::vector<Cable> nvlinks;  // names of machine 0
  Bandwidth pcie;
};

Kind random_kind(Rng& rng) {
  Kind kind;
  kind.gpus = static_cast<int>(rng.uniform_int(1, 6));
  kind.sockets = static_cast<int>(rng.uniform_int(1, 3));
  kind.nics = static_cast<int>(rng.uniform_int(1, 3));
  kind.has_switch = rng.chance(0.3);
  kind.pcie = some_capacity(rng);
  for (int a = 0; a < kind.gpus; ++a) {
    for (int b = a + 1; b < kind.gpus; ++b) {
      if (!rng.chance(0.4)) continue;
      kind.nvlinks.push_back(
          {name_of(0, "gpu", a), name_of(0, "gpu", b), LinkKind::kNvlink, some_capacity(rng)});
    }
  }
  return kind;
}

void add_machine(const Kind& kind, int node, Plan& plan) {
  const auto add = [&](DeviceKind device, const std::string& what, int index, int socket) {
    plan.devices.push_back({device, name_of(node, what, index), node, socket, index});
    return plan.devices.back().name;
  };
  std::vector<std::string> cpus;
  for (int s = 0; s < kind.sockets; ++s) {
    cpus.push_back(add(DeviceKind::kCpu, "cpu", s, s));
    if (s > 0) plan.cables.push_back({cpus[0], cpus.back(), LinkKind::kCpuInterconnect, kind.pcie});
  }
  for (int i = 0; i < kind.gpus + kind.nics; ++i) {
    const bool is_gpu = i < kind.gpus;
    const int socket = i % kind.sockets;
    const std::string name = is_gpu ? add(DeviceKind::kGpu, "gpu", i, socket)
                                    : add(DeviceKind::kNic, "nic", i - kind.gpus, socket);
    plan.cables.push_back(
        {name, cpus[static_cast<std::size_t>(socket)], LinkKind::kPcie, kind.pcie});
  }
  for (Cable cable : kind.nvlinks) {
    // "m0.gpu1" of the kind becomes "m3.gpu1".
    for (std::string* end : {&cable.a, &cable.b}) end->replace(1, 1, std::to_string(node));
    plan.cables.push_back(cable);
  }
  if (!kind.has_switch) return;
  const std::string hub = add(DeviceKind::kNvSwitch, "hub", 0, 0);
  for (int g = 0; g < kind.gpus; ++g) {
    plan.cables.push_back({name_of(node, "gpu", g), hub, LinkKind::kNvlink, kind.pcie});
  }
}

/// Leaves below random parents: switch i hangs on one of those before it.
void add_network(Rng& rng, Plan& plan) {
  const int switches = static_cast<int>(rng.uniform_int(1, 5));
  for (int i = 0; i < switches; ++i) {
    plan.devices.push_back({DeviceKind::kNetSwitch, "switch" + std::to_string(i), kNoNode, 0, i});
    if (i == 0) continue;
    plan.cables.push_back({"switch" + std::to_string(rng.uniform_int(0, i - 1)),
                           "switch" + std::to_string(i), LinkKind::kNetwork, some_capacity(rng)});
  }
  const std::vector<Device> devices = plan.devices;
  for (const Device& device : devices) {
    if (device.kind != DeviceKind::kNic) continue;
    plan.cables.push_back({device.name, "switch" + std::to_string(rng.uniform_int(0, switches - 1)),
                           LinkKind::kNetwork, some_capacity(rng)});
  }
}

template <typename T>
std::vector<T> in_order(const std::vector<T>& items, const std::vector<int>& order) {
  std::vector<T> result;
  for (const int i : order) result.push_back(items[static_cast<std::size_t>(i)]);
  return result;
}

}  // namespace

Plan random_plan(Rng& rng) {
  const Kind kinds[2] = {random_kind(rng), random_kind(rng)};
  Plan plan;
  plan.nodes = static_cast<int>(rng.uniform_int(1, 5));
  for (int node = 0; node < plan.nodes; ++node) add_machine(kinds[rng.chance(0.3)], node, plan);
  add_network(rng, plan);
  return plan;
}

Plan renumbered(Plan plan, const std::vector<int>& node_of) {
  for (Device& device : plan.devices) {
    if (device.node != kNoNode) device.node = node_of[static_cast<std::size_t>(device.node)];
  }
  return plan;
}

Plan shuffled(Plan plan, Rng& rng) {
  plan.devices = in_order(plan.devices, test::random_permutation(plan.devices.size(), rng));
  plan.cables = in_order(plan.cables, test::random_permutation(plan.cables.size(), rng));
  return plan;
}

Fabric build(const Plan& plan) {
  FabricBuilder builder("random", "any");
  std::map<std::string, DeviceId> ids;
  for (const Device& device : plan.devices) ids[device.name] = builder.add_device(device);
  for (const Cable& cable : plan.cables) {
    builder.add_duplex(
        {ids.at(cable.a), ids.at(cable.b), cable.kind, cable.capacity, nanoseconds(100), 1});
  }
  Diagnostics out;
  auto fabric = std::move(builder).freeze("random", out);
  for (const Diagnostic& d : out.all()) ADD_FAILURE() << d.message;
  return std::move(fabric).value();
}

}  // namespace heddle::fabric
