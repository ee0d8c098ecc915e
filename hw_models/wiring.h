#pragma once
// Who is joined with whom inside one node, however it was learned: from a node file or from an
// imported text. Positions count the GPUs in order of their numbers.

#include <string>
#include <vector>

#include "hw_models/node_reader.h"

namespace heddle::hw_models {

inline constexpr int kNoSwitch = -1;

/// Where a NIC hangs, and what its machine calls it: "mlx5_0"; empty: "nic" and its number.
struct NicPlace {
  int socket = 0;
  int pcie_switch = kNoSwitch;
  std::string name = {};
};

struct Wiring {
  std::vector<int> gpu_numbers;
  std::vector<int> socket;             // of each GPU, from 0 without gaps
  std::vector<int> pcie_switch;        // of each GPU, from 0 without gaps, or kNoSwitch: root port
  std::vector<int> upper_pcie_switch;  // of each PCIe switch, numbers continue; or kNoSwitch
  int switch_links = 0;                // NVLinks of each GPU into the NVSwitches; 0: none
  std::vector<std::vector<int>> pair_links;  // NVLinks between two GPUs, without a switch
  std::vector<NicPlace> nics;
};

/// GPUs of one socket in order, `gpus_per_pcie_switch` to a switch.
std::vector<int> switches_in_order(const NodeModel& node, const std::vector<int>& socket);

/// NIC k of n hangs where the GPU at position floor(k * GPUs / n) hangs.
std::vector<NicPlace> nics_beside_gpus(const Wiring& wiring, const NicModel& nics);

Wiring wiring_of(const NodeModel& node);

}  // namespace heddle::hw_models
