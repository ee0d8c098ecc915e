#include "sim/collective/machine_trees.h"

#include <bit>
#include <cstddef>

#include "sim/collective/binary_tree.h"

namespace heddle::collective {

void cross_machine_trees(LinkLoad& load, int machines, const MachineHop& hop, std::int64_t times) {
  for (const BinaryTree& tree : {first_tree(machines), second_tree(machines)}) {
    for (int machine = 0; machine < machines; ++machine) {
      const int parent = tree[static_cast<std::size_t>(machine)].parent;
      if (parent < 0) continue;
      load.cross(hop(machine, parent), times);
      load.cross(hop(parent, machine), times);
    }
  }
}

std::vector<std::vector<int>> machine_chains(const Wiring& wiring, const Order& ring) {
  const std::size_t n = ring.size();
  std::size_t first = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (wiring.machine_of(ring[i]) != wiring.machine_of(ring[(i + n - 1) % n])) {
      first = i;
      break;
    }
  }
  std::vector<std::vector<int>> chains(static_cast<std::size_t>(wiring.machine_count()));
  for (std::size_t i = 0; i < n; ++i) {
    const int position = ring[(first + i) % n];
    chains[static_cast<std::size_t>(wiring.machine_of(position))].push_back(position);
  }
  return chains;
}

void cross_chains(LinkLoad& load, const Wiring& wiring, const std::vector<std::vector<int>>& chains,
                  std::int64_t rings) {
  for (const std::vector<int>& chain : chains) {
    for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
      load.cross(wiring.hop(chain[i], chain[i + 1]), 2 * rings);
      load.cross(wiring.hop(chain[i + 1], chain[i]), 2 * rings);
    }
  }
}

int tree_levels(int machines) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(machines))) - 1;
}

}  // namespace heddle::collective
