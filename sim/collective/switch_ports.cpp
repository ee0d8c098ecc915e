#include "sim/collective/switch_ports.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>

namespace heddle::collective {

std::vector<fabric::LinkId> switch_ports(const Wiring& wiring, int machine) {
  std::vector<fabric::LinkId> ports;
  const fabric::Fabric& fabric = wiring.fabric();
  const std::span<const int> members = wiring.members_of(machine);
  if (members.size() < 2) return {};
  fabric::DeviceId hub;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const int next = members[(i + 1) % members.size()];
    const Hop& out = wiring.hop(members[i], next);
    const Hop& in = wiring.hop(next, members[i]);
    if (out.transport != Transport::kNvlink || out.links.size() != 2) return {};
    const fabric::DeviceId middle = fabric.link(out.links.front()).to;
    if (fabric.device(middle).kind != fabric::DeviceKind::kNvSwitch) return {};
    if (in.links.size() != 2 || (hub.valid() && middle != hub)) return {};
    hub = middle;
    ports.push_back(out.links.front());
    ports.push_back(in.links.back());
  }
  return ports;
}

int head_count(std::size_t members) {
  constexpr std::size_t kMaxNvlsArity = 32;
  return static_cast<int>(std::min(members, kMaxNvlsArity));
}

std::optional<Bandwidth> head_speed(const Group& group) {
  Bandwidth port{std::numeric_limits<std::int64_t>::max()};
  std::size_t most = 0;
  for (int machine = 0; machine < group.wiring.machine_count(); ++machine) {
    most = std::max(most, group.wiring.members_of(machine).size());
    for (fabric::LinkId link : switch_ports(group.wiring, machine)) {
      port = std::min(port, group.wiring.fabric().link(link).capacity);
    }
  }
  for (Bandwidth speed : group.tuning->ring_speeds) {
    if (speed * (head_count(most) + 1) <= port) return speed;
  }
  return std::nullopt;
}

std::optional<Refusal> missing_switch_reduction(const Group& group) {
  const std::string hint = "leave the algorithm out, or use ring";
  if (!group.settings.p2p) {
    return Refusal{"no-nvls", "NVLS needs peer-to-peer, which is off", hint};
  }
  if (!group.settings.nvls) return Refusal{"no-nvls", "NVLS is switched off", hint};
  if (group.comm().nvls_efficiency && group.tuning->nvls) return std::nullopt;
  return Refusal{"no-nvls", group.wiring.fabric().name() + " has no in-switch reduction (NVLS)",
                 hint};
}

}  // namespace heddle::collective
