#include "hw_models/folded_cluster.h"

#include <algorithm>
#include <numeric>

namespace heddle::hw_models {
namespace {

constexpr int kTreePeriod = 64;
constexpr int kFewest = 128;

int machines_per_pod(const NetworkModel& network) {
  switch (network.shape) {
    case NetworkShape::kSingleSwitch:
      return 1;
    case NetworkShape::kRailOptimised:
      return network.nodes_per_leaf;
    case NetworkShape::kFatTree:
      return network.nodes_per_leaf * (network.tiers == 3 ? network.leaves_per_pod : 1);
  }
  return 1;
}

}  // namespace

int folded_machines(const NetworkModel& network, int nodes) {
  const int period = std::lcm(kTreePeriod, machines_per_pod(network));
  const int whole = (kFewest + period - 1) / period * period;
  return std::min(nodes, whole + nodes % period);
}

}  // namespace heddle::hw_models
