#pragma once
// networks/*.json, schema "heddle.network/1": how NICs are joined and what leaves a machine over
// them.

#include <optional>
#include <string>

#include "hw_models/data_file.h"
#include "hw_models/nic_reader.h"
#include "hw_models/quantity.h"
#include "sim/fabric/comm_parameters.h"

namespace heddle::hw_models {

enum class NetworkShape {
  kSingleSwitch,   // "single-switch": every NIC in one
  kRailOptimised,  // "rail-optimised": leaf k of a pod serves NIC k of its nodes
  kFatTree,        // "fat-tree": a leaf serves all NICs of its nodes
};

struct NetworkModel {
  std::string name;
  std::string summary;
  NetworkShape shape = NetworkShape::kSingleSwitch;
  int tiers = 2;           // kFatTree: 2 or 3
  int nodes_per_leaf = 0;  // of a leaf: for rails, the pod's
  int leaves_per_pod = 0;  // kFatTree with 3 tiers
  /// Capacity below the topmost tier over that into it; tiers below are not oversubscribed.
  Ratio oversubscription;
  std::optional<NicModel> nics;  // instead of the node's own
  fabric::NetworkTransport transport;
  fabric::CommSigmas sigma;  // of the transport
};

std::optional<NetworkModel> read_network(const DataFile& file, Diagnostics& out);

}  // namespace heddle::hw_models
