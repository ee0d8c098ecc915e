#pragma once
// Double binary trees over N machines (NCCL src/graph/trees.cc). In the first tree machine i is the
// child of the machine that i's lowest set bit moves to, so odd machines are leaves; the second is
// its mirror image for even N and the first shifted by one for odd N. Each carries half the data. A
// machine is interior in at most one of the two (for odd N one is in both, with few neighbours), so
// none has more than four neighbours in both together.

#include <array>
#include <vector>

namespace heddle::collective {

struct TreePlace {
  int parent = -1;  // -1: the root
  std::array<int, 2> children{-1, -1};

  friend bool operator==(const TreePlace&, const TreePlace&) = default;
};

/// By machine; N >= 1.
using BinaryTree = std::vector<TreePlace>;

BinaryTree first_tree(int machines);
BinaryTree second_tree(int machines);

}  // namespace heddle::collective
