#include "sim/run/group_models.h"

#include <set>
#include <utility>

namespace heddle::run {
namespace {

std::vector<fabric::DeviceId> devices_of(const Machine& machine, const std::vector<int>& ranks) {
  std::vector<fabric::DeviceId> devices;
  devices.reserve(ranks.size());
  for (const int rank : ranks) devices.push_back(machine.members[static_cast<std::size_t>(rank)]);
  return devices;
}

}  // namespace

std::optional<GroupModels> group_models(const Machine& machine, const FabricChoice& choice,
                                        const std::string& file,
                                        std::span<const schedule::Communicator> communicators,
                                        Diagnostics& out) {
  GroupModels models;
  for (const schedule::Communicator& c : communicators) {
    std::vector<collective::CollectiveModel>& groups = models.emplace_back();
    for (const std::vector<int>& ranks : c.groups) {
      if (ranks.size() == machine.members.size()) {
        groups.push_back(machine.world);
        continue;
      }
      Diagnostics refused;
      auto model = collective::CollectiveModel::create(machine.fabric, devices_of(machine, ranks),
                                                       choice.comm, machine.tuning, refused);
      for (Diagnostic d : refused.all()) {
        d.file = file;
        d.pointer = choice.pointer;
        d.line = choice.line;
        out.add(std::move(d));
      }
      if (!model) return std::nullopt;
      groups.push_back(std::move(*model));
    }
  }
  return models;
}

int ranks_per_node(const fabric::Fabric& fabric, std::span<const fabric::DeviceId> members) {
  const auto node = [&](std::size_t rank) { return fabric.device(members[rank]).node; };
  std::size_t first = 1;
  while (first < members.size() && node(first) == node(0)) ++first;
  if (members.size() % first != 0) return 0;
  std::set<int> seen;
  for (std::size_t rank = 0; rank < members.size(); ++rank) {
    const bool begins = rank % first == 0;
    if (begins ? !seen.insert(node(rank)).second : node(rank) != node(rank - 1)) return 0;
  }
  return static_cast<int>(first);
}

}  // namespace heddle::run
