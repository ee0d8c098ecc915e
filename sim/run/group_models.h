#pragma once
// How each group of a strategy's communicators talks on a machine.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/collective/collective_model.h"
#include "sim/run/machine.h"
#include "sim/schedule/communicator.h"

namespace heddle::run {

/// By communicator, group.
using GroupModels = std::vector<std::vector<collective::CollectiveModel>>;

/// Errors are those of CollectiveModel::create(), at the place of `choice`, which `file` holds.
std::optional<GroupModels> group_models(const Machine& machine, const FabricChoice& choice,
                                        const std::string& file,
                                        std::span<const schedule::Communicator> communicators,
                                        Diagnostics& out);

/// Ranks on each node, if all hold as many and ranks 0, 1, ... fill one after the other; else 0.
int ranks_per_node(const fabric::Fabric& fabric, std::span<const fabric::DeviceId> members);

}  // namespace heddle::run
