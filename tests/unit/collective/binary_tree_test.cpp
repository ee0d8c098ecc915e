#include "sim/collective/binary_tree.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle::collective {
namespace {

int child_count(const TreePlace& place) {
  return static_cast<int>(
      std::count_if(place.children.begin(), place.children.end(), [](int c) { return c >= 0; }));
}

int neighbours(const TreePlace& place) {
  return child_count(place) + (place.parent >= 0 ? 1 : 0);
}

// Drawn by hand for 8 machines: 0 above 4, 4 above 2 and 6, 2 above 1 and 3, 6 above 5 and 7.
TEST(BinaryTree, OfEightMachines) {
  const BinaryTree expected{{-1, {-1, 4}}, {2, {-1, -1}}, {4, {1, 3}}, {2, {-1, -1}},
                            {0, {2, 6}},   {6, {-1, -1}}, {4, {5, 7}}, {6, {-1, -1}}};
  EXPECT_EQ(first_tree(8), expected);
}

// Five: the subtree above 4 is cut off, so 4 hangs below 0 with 2 alone below it.
TEST(BinaryTree, OfFiveMachinesAndShifted) {
  const BinaryTree first{{-1, {-1, 4}}, {2, {-1, -1}}, {4, {1, 3}}, {2, {-1, -1}}, {0, {2, -1}}};
  EXPECT_EQ(first_tree(5), first);
  const BinaryTree second{{1, {3, -1}}, {-1, {-1, 0}}, {3, {-1, -1}}, {0, {2, 4}}, {3, {-1, -1}}};
  EXPECT_EQ(second_tree(5), second);
}

TEST(BinaryTree, TheSecondOfTwoIsTheMirrorImage) {
  EXPECT_EQ(first_tree(2), (BinaryTree{{-1, {-1, 1}}, {0, {-1, -1}}}));
  EXPECT_EQ(second_tree(2), (BinaryTree{{1, {-1, -1}}, {-1, {-1, 0}}}));
}

TEST(BinaryTree, ParentsAndChildrenAgreeAndWorkIsShared) {
  for (int n = 2; n <= 65; ++n) {
    SCOPED_TRACE(n);
    const BinaryTree first = first_tree(n);
    const BinaryTree second = second_tree(n);
    for (const BinaryTree& tree : {first, second}) {
      int edges = 0;
      for (int i = 0; i < n; ++i) {
        for (int child : tree[static_cast<std::size_t>(i)].children) {
          if (child < 0) continue;
          ++edges;
          EXPECT_EQ(tree[static_cast<std::size_t>(child)].parent, i);
        }
      }
      EXPECT_EQ(edges, n - 1);
    }
    int interior_in_both = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {
      EXPECT_LE(neighbours(first[i]) + neighbours(second[i]), 4);
      interior_in_both += child_count(first[i]) > 0 && child_count(second[i]) > 0 ? 1 : 0;
    }
    EXPECT_EQ(interior_in_both, n % 2);
  }
}

}  // namespace
}  // namespace heddle::collective
