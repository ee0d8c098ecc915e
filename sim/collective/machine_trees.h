#pragma once
// What the double binary trees over machines load: along every edge the data of its subtree goes up
// and the sum comes down. Shared by trees and in-switch trees.

#include <cstdint>
#include <functional>
#include <vector>

#include "sim/collective/link_load.h"
#include "sim/collective/ring_graph.h"
#include "sim/collective/wiring.h"

namespace heddle::collective {

/// The hop from one machine of a tree to another.
using MachineHop = std::function<Hop(int from, int to)>;

/// `times` crossings per tree edge and direction, both trees. Nothing on one machine.
void cross_machine_trees(LinkLoad& load, int machines, const MachineHop& hop,
                         std::int64_t times = 1);

/// The members of a ring by machine, each machine's in the order in which the ring passes them, the
/// one it enters by first. In one machine: the ring cut open before its first member.
std::vector<std::vector<int>> machine_chains(const Wiring& wiring, const Order& ring);

/// Both trees over the chains of `rings` equal rings: for each of these two crossings of every
/// chain hop in each direction.
void cross_chains(LinkLoad& load, const Wiring& wiring, const std::vector<std::vector<int>>& chains,
                  std::int64_t rings);

/// floor(log2(machines)), the levels NCCL counts.
int tree_levels(int machines);

}  // namespace heddle::collective
