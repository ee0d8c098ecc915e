#include "sim/allocator/free_list.h"

#include <gtest/gtest.h>

#include <set>

#include "sim/base/rng.h"

namespace heddle::allocator {
namespace {

/// Against std::set, with more keys than a chunk holds.
TEST(FreeList, IsAnOrderedSet) {
  Rng rng(7);
  FreeList list;
  std::set<std::pair<std::int64_t, std::int64_t>> reference;
  for (int i = 0; i < 20000; ++i) {
    const std::int64_t size = rng.uniform_int(0, 40);
    const std::int64_t address = rng.uniform_int(0, 30);
    const auto block = static_cast<BlockIndex>(size * 1000 + address);
    const bool grow = i < 10000 ? rng.chance(0.7) : rng.chance(0.3);
    if (grow && reference.insert({size, address}).second) {
      list.insert({size, address, block});
    } else if (!grow && reference.erase({size, address}) == 1) {
      list.erase({size, address, block});
    }
    const auto expected = reference.lower_bound({size, -1});
    const auto found = list.lower_bound({size, -1, kNoBlock});
    ASSERT_EQ(found == list.end(), expected == reference.end());
    if (found == list.end()) continue;
    ASSERT_EQ(list[found], expected->first * 1000 + expected->second);
  }
  std::vector<BlockIndex> all;
  for (const auto& [size, address] : reference) {
    all.push_back(static_cast<BlockIndex>(size * 1000 + address));
  }
  EXPECT_EQ(list.all(), all);
  std::vector<BlockIndex> walked;
  for (auto at = list.begin(); at != list.end(); at = list.next(at)) walked.push_back(list[at]);
  EXPECT_EQ(walked, all);
  std::vector<BlockIndex> backwards;
  for (auto at = list.end(); at != list.begin();) {
    at = list.previous(at);
    backwards.insert(backwards.begin(), list[at]);
  }
  EXPECT_EQ(backwards, all);
}

}  // namespace
}  // namespace heddle::allocator
