#pragma once
// Random clusters of machines of two kinds below a random tree of switches, buildable with other
// node numbers, in another order of devices, or without one cable.

#include <string>
#include <vector>

#include "sim/base/rng.h"
#include "sim/fabric/fabric_builder.h"

namespace heddle::fabric {

/// By names, so that ids follow from the order in which they are added.
struct Cable {
  std::string a;
  std::string b;
  LinkKind kind = LinkKind::kPcie;
  Bandwidth capacity;
};

struct Plan {
  int nodes = 0;
  std::vector<Device> devices;  // names begin with the machine they were drawn for
  std::vector<Cable> cables;
};

Plan random_plan(Rng& rng);

/// `node_of[n]` is the number of machine n of the plan.
Plan renumbered(Plan plan, const std::vector<int>& node_of);
/// Devices and cables in another order.
Plan shuffled(Plan plan, Rng& rng);

Fabric build(const Plan& plan);

}  // namespace heddle::fabric
