// The rules one by one, on cases worked out by hand. Sizes in MiB unless said otherwise.

#include "sim/allocator/caching_allocator.h"

#include <gtest/gtest.h>

namespace heddle::allocator {
namespace {

constexpr std::int64_t kMiB = 1 << 20;

struct Rig {
  explicit Rig(const AllocatorConfig& config = {}, Bytes capacity = kUnlimited)
      : device(capacity), allocator(config, device) {}

  BlockIndex bytes(std::int64_t n, std::uint16_t stream = 0, std::int64_t now = 0) {
    return allocator.allocate({n}, stream, {now});
  }
  BlockIndex mib(std::int64_t n, std::uint16_t stream = 0, std::int64_t now = 0) {
    return bytes(n * kMiB, stream, now);
  }
  void free(BlockIndex block) { allocator.free(block); }
  std::int64_t reserved() const { return allocator.stats().reserved.current.value / kMiB; }
  std::int64_t address(BlockIndex block) const { return allocator.address_of(block); }
  const AllocatorStats& stats() const { return allocator.stats(); }

  LimitedDevice device;
  CachingAllocator allocator;
};

TEST(Segments, SmallRequestsShareTwoMebibytes) {
  Rig rig;
  for (int i = 0; i < 4; ++i) rig.bytes(512 << 10);
  EXPECT_EQ(rig.reserved(), 2);
  rig.bytes(1);
  EXPECT_EQ(rig.reserved(), 4);
  EXPECT_EQ(rig.stats().segments, 2);
  EXPECT_EQ(rig.stats().inactive_split.current.value, 2 * kMiB - 512);
}

TEST(Segments, SmallAndLargeDoNotMix) {
  Rig rig;
  rig.mib(1);
  rig.bytes(kMiB + 1);
  EXPECT_EQ(rig.reserved(), 2 + 20);
  rig.mib(1);  // the rest of the small segment, not of the large one
  EXPECT_EQ(rig.reserved(), 22);
}

TEST(Segments, StreamsDoNotShare) {
  Rig rig;
  rig.free(rig.mib(15, 0));
  rig.mib(15, 1);
  EXPECT_EQ(rig.reserved(), 16 + 16);
}

/// 3 * 6 = 18 of 20: the rest of 2 is split off (> 1), and 1.5 of it leaves 0.5, which is not.
TEST(Splitting, LargeBlocksKeepRestsUpToOneMebibyte) {
  Rig rig;
  for (int i = 0; i < 3; ++i) rig.mib(6);
  EXPECT_EQ(rig.reserved(), 20);
  EXPECT_EQ(rig.stats().inactive_split.current.value, 2 * kMiB);
  const BlockIndex last = rig.bytes(kMiB * 3 / 2);
  EXPECT_EQ(rig.reserved(), 20);
  EXPECT_EQ(rig.allocator.size_of(last), mebibytes(2)) << "the whole rest is handed out";
  EXPECT_EQ(rig.stats().inactive_split.current.value, 0);
  EXPECT_EQ(rig.stats().allocated.current, mebibytes(20));
}

TEST(Splitting, ExactlyOneMebibyteIsNotSplitOff) {
  Rig rig;
  const BlockIndex block = rig.mib(19);  // a segment of 20
  EXPECT_EQ(rig.allocator.size_of(block), mebibytes(20));
  const BlockIndex other = rig.bytes(19 * kMiB - 512);
  EXPECT_EQ(rig.allocator.size_of(other).value, 19 * kMiB - 512);
}

TEST(BestFit, TheSmallestThatFitsThenTheLowestAddress) {
  Rig rig;
  const BlockIndex big = rig.mib(40);
  const BlockIndex low = rig.mib(30);
  const BlockIndex high = rig.mib(30);
  const std::int64_t expected = rig.address(low);
  const std::int64_t second = rig.address(high);
  rig.free(big);
  rig.free(high);
  rig.free(low);
  EXPECT_EQ(rig.address(rig.mib(29)), expected);
  EXPECT_EQ(rig.address(rig.mib(30)), second);
  EXPECT_EQ(rig.reserved(), 100);
}

TEST(Coalescing, NeighboursBecomeOne) {
  Rig rig;
  const BlockIndex a = rig.mib(6);
  const BlockIndex b = rig.mib(6);
  const BlockIndex c = rig.mib(6);
  rig.free(a);
  rig.free(c);
  EXPECT_EQ(rig.stats().inactive_split.current, mebibytes(6 + 8));
  EXPECT_EQ(rig.allocator.snapshot().front().blocks.size(), 3U);
  rig.free(b);
  ASSERT_EQ(rig.allocator.snapshot().front().blocks.size(), 1U);
  EXPECT_EQ(rig.stats().inactive_split.current.value, 0) << "a whole segment is not split";
  EXPECT_EQ(rig.stats().reserved.current, mebibytes(20));
}

/// max_split_size 32: a cached 40 is oversize. A request of 8 must not break it; one of 33 may have
/// it, unsplit, as 40 < 33 + 20; one of 33 must not have a cached 54 (54 >= 33 + 20 is the limit).
TEST(Oversize, BlocksAreForOversizeRequestsThatNearlyFillThem) {
  AllocatorConfig config;
  config.max_split_size = mebibytes(32);
  Rig rig(config);
  rig.free(rig.mib(40));
  rig.mib(8);
  EXPECT_EQ(rig.reserved(), 40 + 20);
  const BlockIndex block = rig.mib(33);
  EXPECT_EQ(rig.reserved(), 60);
  EXPECT_EQ(rig.allocator.size_of(block), mebibytes(40));
  rig.free(rig.mib(54));
  EXPECT_EQ(rig.reserved(), 114);
  rig.mib(33);
  EXPECT_EQ(rig.reserved(), 114 + 34);
}

/// Capacity 102, max_split_size 32. Cached 40 + 40 + 20; a request of 70 finds 2 left. No oversize
/// block has 70, so they go largest first until 70 are together: both; the 20 stays. Not a retry.
TEST(Retry, OversizeBlocksGoFirst) {
  AllocatorConfig config;
  config.max_split_size = mebibytes(32);
  Rig rig(config, mebibytes(102));
  const BlockIndex a = rig.mib(40);
  const BlockIndex b = rig.mib(40);
  rig.free(rig.mib(5));
  rig.free(a);
  rig.free(b);
  EXPECT_EQ(rig.reserved(), 100);
  EXPECT_NE(rig.mib(70), kNoBlock);
  EXPECT_EQ(rig.reserved(), 90) << "20 kept";
  EXPECT_EQ(rig.stats().retries, 0);
}

/// Capacity 100: cached 40 and 20, in use 36. A request of 50 fits only once all that is cached
/// and whole is released: one retry.
TEST(Retry, ThenEverythingCached) {
  Rig rig({}, mebibytes(100));
  const BlockIndex a = rig.mib(40);
  rig.mib(36);
  const BlockIndex c = rig.mib(5);
  rig.free(a);
  rig.free(c);
  EXPECT_NE(rig.mib(50), kNoBlock);
  EXPECT_EQ(rig.reserved(), 86);
  EXPECT_EQ(rig.stats().retries, 1);
  EXPECT_EQ(rig.stats().out_of_memory, 0);
}

/// A segment partly in use cannot be released: 20 reserved, 5 of it in use, capacity 30. One 12
/// fits the rest of 15; for the next, a segment of 12, only 10 are left.
TEST(Retry, OutOfMemoryIsAnAnswer) {
  Rig rig({}, mebibytes(30));
  rig.mib(5);
  EXPECT_NE(rig.mib(12), kNoBlock);
  EXPECT_EQ(rig.mib(12), kNoBlock);
  EXPECT_EQ(rig.stats().allocations, 2);
  EXPECT_EQ(rig.stats().out_of_memory, 1);
  EXPECT_EQ(rig.stats().retries, 1);
  EXPECT_NE(rig.bytes(100), kNoBlock) << "the allocator stays usable";
}

TEST(RecordStream, ABlockStaysActiveUntilTheOtherStreamIsDone) {
  Rig rig;
  const BlockIndex block = rig.mib(16, 0, 0);
  const StreamUse use[] = {{1, {100}}};
  rig.allocator.free(block, use);
  EXPECT_EQ(rig.stats().allocated.current.value, 0);
  EXPECT_EQ(rig.stats().active.current, mebibytes(16));
  rig.mib(16, 0, 99);  // too early for it
  EXPECT_EQ(rig.reserved(), 32);
  EXPECT_EQ(rig.stats().active.current, mebibytes(32));
  rig.mib(16, 0, 100);
  EXPECT_EQ(rig.reserved(), 32);
  EXPECT_EQ(rig.stats().active.current, mebibytes(32));
}

TEST(RecordStream, OwnStreamDoesNotCountAndAllOthersMustBeDone) {
  Rig rig;
  const StreamUse own[] = {{0, {1000}}};
  rig.allocator.free(rig.mib(16), own);
  EXPECT_EQ(rig.stats().active.current.value, 0);
  const StreamUse two[] = {{1, {10}}, {2, {20}}};
  rig.allocator.free(rig.mib(16), two);
  rig.bytes(1, 0, 15);
  EXPECT_EQ(rig.stats().active.current.value, 16 * kMiB + 512);
  rig.bytes(1, 0, 20);
  EXPECT_EQ(rig.stats().active.current.value, 1024);
}

/// Before it gives up, the allocator waits for pending blocks.
TEST(RecordStream, PendingBlocksAreWaitedForUnderPressure) {
  Rig rig({}, mebibytes(20));
  const StreamUse use[] = {{1, {1000}}};
  rig.allocator.free(rig.mib(16), use);
  EXPECT_NE(rig.mib(18, 0, 1), kNoBlock);
  EXPECT_EQ(rig.reserved(), 18);
}

/// Fraction 1 of 100, threshold 0.5: above 50. Cached 30 (old) and 20 (young), in use 20; the next
/// search finds nothing, and of ages 3 and 1 (searches since they were freed) the mean is 2: the
/// old one goes.
TEST(GarbageCollection, OldCachedSegmentsGoFirst) {
  AllocatorConfig config;
  config.memory_fraction = 1;
  config.garbage_collection_threshold = 0.5;
  Rig rig(config, mebibytes(100));
  const BlockIndex old = rig.mib(30);
  const BlockIndex young = rig.mib(24);
  rig.free(old);
  rig.mib(40);  // search 3: reserved 54 > 50, only `old` is cached and as old as the mean
  EXPECT_EQ(rig.reserved(), 24 + 40);
  rig.free(young);
  const BlockIndex other = rig.mib(26);  // reserved 64: `young` goes
  EXPECT_EQ(rig.reserved(), 40 + 26);
  rig.free(other);
}

TEST(GarbageCollection, NeedsTheMemoryFraction) {
  AllocatorConfig config;
  config.garbage_collection_threshold = 0.1;
  Rig rig(config, mebibytes(100));
  rig.free(rig.mib(30));
  rig.mib(40);
  EXPECT_EQ(rig.reserved(), 70);
}

TEST(MemoryFraction, LimitsWhatIsReserved) {
  AllocatorConfig config;
  config.memory_fraction = 0.5;
  Rig rig(config, mebibytes(100));
  EXPECT_NE(rig.mib(40), kNoBlock);
  EXPECT_EQ(rig.mib(12), kNoBlock);
  EXPECT_NE(rig.mib(10), kNoBlock);
}

}  // namespace
}  // namespace heddle::allocator
