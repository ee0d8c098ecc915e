#include "sim/collective/binary_tree.h"

#include <cstddef>

namespace heddle::collective {
namespace {

/// Lowest set bit of a machine other than the root; for the root the first power of two >= N.
int lowest_bit(int machine, int machines) {
  int bit = 1;
  while (bit < machines && (machine & bit) == 0) bit <<= 1;
  return bit;
}

TreePlace place(int machine, int machines) {
  const int bit = lowest_bit(machine, machines);
  TreePlace place;
  if (machine == 0) {
    if (machines > 1) place.children[1] = bit >> 1;
    return place;
  }
  const int up = (machine ^ bit) | (bit << 1);
  place.parent = up >= machines ? machine ^ bit : up;
  int low = bit >> 1;
  if (low == 0) return place;
  place.children[0] = machine - low;
  // The subtree above is cut off at N: the largest part of it that exists.
  while (low > 0 && machine + low >= machines) low >>= 1;
  if (low > 0) place.children[1] = machine + low;
  return place;
}

template <typename Rename>
BinaryTree renamed(const BinaryTree& tree, Rename rename) {
  const auto name = [&](int machine) { return machine < 0 ? -1 : rename(machine); };
  BinaryTree result(tree.size());
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const auto to = static_cast<std::size_t>(rename(static_cast<int>(i)));
    result[to] = {name(tree[i].parent), {name(tree[i].children[0]), name(tree[i].children[1])}};
  }
  return result;
}

}  // namespace

BinaryTree first_tree(int machines) {
  BinaryTree tree;
  for (int machine = 0; machine < machines; ++machine) tree.push_back(place(machine, machines));
  return tree;
}

BinaryTree second_tree(int machines) {
  const bool is_odd = machines % 2 == 1;
  return renamed(first_tree(machines), [&](int machine) {
    return is_odd ? (machine + 1) % machines : machines - 1 - machine;
  });
}

}  // namespace heddle::collective
