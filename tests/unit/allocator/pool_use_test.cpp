#include "sim/allocator/pool_use.h"

#include <gtest/gtest.h>

#include "sim/allocator/caching_allocator.h"

namespace heddle::allocator {
namespace {

/// Stream 0: 5 of a segment of 20 in use, and a whole free segment of 30. Stream 1: 512 bytes of 2
/// MiB.
TEST(PoolUse, SumsByStreamAndPool) {
  LimitedDevice device(kUnlimited);
  CachingAllocator allocator({}, device);
  allocator.allocate(mebibytes(5), 0, {});
  allocator.free(allocator.allocate(mebibytes(30), 0, {}));
  allocator.allocate({512}, 1, {});
  const auto segments = allocator.snapshot();
  const auto pools = pool_use(segments);
  ASSERT_EQ(pools.size(), 2U);
  EXPECT_EQ(pools[0].segments, 2);
  EXPECT_FALSE(pools[0].small);
  EXPECT_EQ(pools[0].reserved, mebibytes(50));
  EXPECT_EQ(pools[0].active, mebibytes(5));
  EXPECT_EQ(pools[0].split, mebibytes(15));
  EXPECT_EQ(pools[0].largest_free, mebibytes(30));
  EXPECT_EQ(pools[1].stream, 1);
  EXPECT_TRUE(pools[1].small);
  EXPECT_EQ(pools[1].split.value, (2 << 20) - 512);
}

}  // namespace
}  // namespace heddle::allocator
