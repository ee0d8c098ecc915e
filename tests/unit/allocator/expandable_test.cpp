// Expandable segments by hand. Sizes in MiB.

#include <gtest/gtest.h>

#include "sim/allocator/caching_allocator.h"

namespace heddle::allocator {
namespace {

constexpr std::int64_t kMiB = 1 << 20;

AllocatorConfig expandable() {
  AllocatorConfig config;
  config.expandable_segments = true;
  return config;
}

struct Rig {
  explicit Rig(Bytes capacity = kUnlimited) : device(capacity), allocator(expandable(), device) {}
  BlockIndex mib(std::int64_t n, std::uint16_t stream = 0) {
    return allocator.allocate(mebibytes(n), stream, {});
  }
  std::int64_t reserved() const { return allocator.stats().reserved.current.value / kMiB; }

  LimitedDevice device;
  CachingAllocator allocator;
};

TEST(Expandable, GrowsByPagesBehindTheFreeEnd) {
  Rig rig;
  rig.mib(15);
  EXPECT_EQ(rig.reserved(), 20);
  rig.mib(15);  // 5 are left; 10 are missing: one page
  EXPECT_EQ(rig.reserved(), 40);
  rig.mib(31);  // 10 are left; 21 are missing: two pages
  EXPECT_EQ(rig.reserved(), 80);
  ASSERT_EQ(rig.allocator.snapshot().size(), 1U) << "one stretch";
  EXPECT_TRUE(rig.allocator.snapshot().front().expandable);
  EXPECT_EQ(rig.allocator.stats().segments, 0);
}

TEST(Expandable, SmallPagesAreTwoMebibytesAndRangesArePerStreamAndPool) {
  Rig rig;
  rig.allocator.allocate({700 << 10}, 0, {});
  rig.allocator.allocate({700 << 10}, 0, {});
  EXPECT_EQ(rig.reserved(), 2);
  rig.allocator.allocate({700 << 10}, 0, {});  // 648 KiB are left
  EXPECT_EQ(rig.reserved(), 4);
  rig.allocator.allocate({512}, 1, {});
  EXPECT_EQ(rig.reserved(), 6);
  rig.mib(2);
  EXPECT_EQ(rig.reserved(), 26);
}

/// 2^50 bytes, more than 9/8 of what a device without limit is taken for: 2^50 / 20 MiB pages.
TEST(Expandable, ARangeHoldsAnyRequest) {
  Rig rig;
  EXPECT_NE(rig.mib(std::int64_t{1} << 30), kNoBlock);
  EXPECT_EQ(rig.reserved(), ((std::int64_t{1} << 30) + 19) / 20 * 20);
}

/// Any rest of 512 bytes is split off, unlike in a large segment.
TEST(Expandable, SplitsLargeBlocksToTheLast512Bytes) {
  Rig rig;
  const BlockIndex block = rig.allocator.allocate({20 * kMiB - 512}, 0, {});
  EXPECT_EQ(rig.allocator.size_of(block).value, 20 * kMiB - 512);
  EXPECT_EQ(rig.allocator.stats().inactive_split.current.value, 0) << "ranges do not count";
}

/// A hole of 30 and a free end of 35 that could grow without bound: 20 goes into the hole.
TEST(Expandable, TheEndIsTheLastChoice) {
  Rig rig;
  const BlockIndex first = rig.mib(35);
  rig.mib(5);
  const BlockIndex last = rig.mib(30);  // of 80 reserved 70 are used
  rig.mib(20);                          // 100 reserved, 10 free at the end
  rig.allocator.free(last);             // a hole of 30
  EXPECT_EQ(rig.reserved(), 100);
  const std::int64_t hole = rig.allocator.address_of(first) + 40 * kMiB;
  EXPECT_EQ(rig.allocator.address_of(rig.mib(9)), hole);
  EXPECT_EQ(rig.reserved(), 100);
}

/// Capacity 60. 35 at the start is freed under a block of 5 (page 20..40 holds it: 35..40): under
/// pressure of another stream the whole page 0..20 is unmapped, and the other stream can have it.
TEST(Expandable, WholePagesAreUnmappedUnderPressure) {
  Rig rig(mebibytes(60));
  const BlockIndex first = rig.mib(35);
  rig.mib(5);
  rig.allocator.free(first);
  EXPECT_EQ(rig.reserved(), 40);
  EXPECT_NE(rig.mib(18, 1), kNoBlock);
  EXPECT_EQ(rig.reserved(), 60);
  EXPECT_NE(rig.mib(20, 1), kNoBlock);  // 2 left + one page, that of the first stream
  EXPECT_EQ(rig.reserved(), 60);
  EXPECT_EQ(rig.allocator.stats().retries, 1);
  EXPECT_EQ(rig.allocator.stats().device_frees, 1);
  // The first stream's gap is filled from its lowest address once there is memory again.
  EXPECT_EQ(rig.mib(30), kNoBlock);
  EXPECT_EQ(rig.allocator.stats().out_of_memory, 1);
  EXPECT_NE(rig.mib(15), kNoBlock) << "what is mapped of 20..35 is still there";
}

TEST(Expandable, AllFreeLeavesNothing) {
  Rig rig(mebibytes(100));
  const BlockIndex a = rig.mib(35);
  const BlockIndex b = rig.mib(45);
  rig.allocator.free(a);
  rig.allocator.free(b);
  rig.allocator.empty_cache();
  EXPECT_EQ(rig.reserved(), 0);
  EXPECT_TRUE(rig.allocator.snapshot().empty());
  EXPECT_NE(rig.mib(90), kNoBlock);
}

}  // namespace
}  // namespace heddle::allocator
