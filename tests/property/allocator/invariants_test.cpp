// What holds whatever is asked of the allocator.

#include <gtest/gtest.h>

#include <map>

#include "sim/allocator/caching_allocator.h"
#include "tests/property/allocator/random_requests.h"
#include "tests/support/seeds.h"

namespace heddle::test {
namespace {

using allocator::BlockState;
using allocator::SegmentView;
using Kind = RequestEvent::Kind;

struct Replayed {
  explicit Replayed(const RequestCase& c) : device(c.capacity), allocator(c.config, device) {}

  void apply(const RequestEvent& event) {
    if (event.kind == Kind::kEmptyCache) return allocator.empty_cache();
    if (event.kind == Kind::kAllocate) {
      const auto owner = static_cast<std::uint32_t>(blocks.size());
      blocks.push_back(allocator.allocate(event.bytes, event.stream, {event.now}, owner));
      if (blocks.back() != allocator::kNoBlock) alive[owner] = event.bytes;
      return;
    }
    if (blocks[event.allocation] == allocator::kNoBlock) return;
    allocator.free(blocks[event.allocation], event.uses);
    alive.erase(static_cast<std::uint32_t>(event.allocation));
  }

  allocator::LimitedDevice device;
  allocator::CachingAllocator allocator;
  std::vector<allocator::BlockIndex> blocks;
  std::map<std::uint32_t, Bytes> alive;  // by allocation
};

/// Blocks tile their segment; no two free ones meet.
void expect_tiled(const SegmentView& segment) {
  std::int64_t end = segment.address;
  bool free_before = false;
  for (const auto& block : segment.blocks) {
    EXPECT_EQ(block.address, end);
    EXPECT_EQ(block.size.value % 512, 0);
    end = block.address + block.size.value;
    const bool free = block.state == BlockState::kFree;
    EXPECT_FALSE(free && free_before) << "two free blocks side by side";
    free_before = free;
  }
  EXPECT_EQ(end, segment.address + segment.size.value);
}

void expect_sound(const Replayed& run) {
  std::int64_t end = 0;
  std::map<std::uint32_t, Bytes> found;
  Bytes reserved;
  Bytes active;
  for (const SegmentView& segment : run.allocator.snapshot()) {
    EXPECT_GE(segment.address, end) << "segments overlap";
    end = segment.address + segment.size.value;
    reserved += segment.size;
    expect_tiled(segment);
    for (const auto& block : segment.blocks) {
      if (block.state != BlockState::kFree) active += block.size;
      if (block.state == BlockState::kAllocated) found[block.owner] = block.size;
    }
  }
  ASSERT_EQ(found.size(), run.alive.size());
  for (const auto& [owner, bytes] : run.alive) EXPECT_GE(found[owner], bytes);
  const auto& stats = run.allocator.stats();
  EXPECT_EQ(stats.reserved.current, reserved);
  EXPECT_EQ(stats.active.current, active);
  EXPECT_GE(stats.active.current, stats.allocated.current);
  EXPECT_GE(stats.reserved.current, stats.active.current);
  EXPECT_LE(stats.reserved.peak.value, run.device.capacity().value);
}

TEST(AllocatorInvariants, BlocksTileSegmentsAndStatisticsAddUp) {
  for_each_seed([](std::uint64_t seed) {
    const RequestCase c = random_requests(seed);
    Replayed run(c);
    for (std::size_t i = 0; i < c.events.size(); ++i) {
      run.apply(c.events[i]);
      if (i % 7 == 0) expect_sound(run);
      if (::testing::Test::HasFailure()) return;
    }
    EXPECT_EQ(run.allocator.stats().allocated.current.value, 0);
    EXPECT_EQ(run.allocator.stats().allocations, 0);
    run.allocator.empty_cache();
    EXPECT_EQ(run.allocator.stats().active.current.value, 0);
    EXPECT_EQ(run.allocator.stats().reserved.current.value, 0) << "all free, all goes back";
    EXPECT_EQ(run.allocator.stats().inactive_split.current.value, 0);
    EXPECT_EQ(run.device.used().value, 0);
  });
}

TEST(AllocatorInvariants, TheSameTraceGivesTheSameStatistics) {
  for_each_seed([](std::uint64_t seed) {
    const RequestCase c = random_requests(seed);
    Replayed first(c);
    Replayed second(c);
    for (const RequestEvent& event : c.events) first.apply(event);
    for (const RequestEvent& event : c.events) second.apply(event);
    EXPECT_EQ(first.allocator.stats(), second.allocator.stats());
  });
}

/// Without a limit that they share, streams do not feel each other: together they reserve what each
/// would by itself. (Blocks that wait for other streams couple them, so here none do.)
TEST(AllocatorInvariants, StreamsKeepTheirBlocksToThemselves) {
  for_each_seed([](std::uint64_t seed) {
    RequestCase c = random_requests(seed);
    c.capacity = allocator::kUnlimited;
    c.config.garbage_collection_threshold = 0;
    for (RequestEvent& event : c.events) event.uses.clear();
    Replayed together(c);
    for (const RequestEvent& event : c.events) together.apply(event);
    Bytes sum;
    for (std::uint16_t stream = 0; stream < 3; ++stream) {
      Replayed alone(c);
      std::vector<std::uint16_t> streams;
      for (const RequestEvent& event : c.events) {
        if (event.kind == Kind::kAllocate) streams.push_back(event.stream);
        const bool mine =
            event.kind == Kind::kEmptyCache ||
            (event.kind == Kind::kAllocate ? event.stream : streams[event.allocation]) == stream;
        if (mine) {
          alone.apply(event);
        } else if (event.kind == Kind::kAllocate) {
          alone.blocks.push_back(allocator::kNoBlock);
        }
      }
      sum += alone.allocator.stats().reserved.current;
    }
    EXPECT_EQ(together.allocator.stats().reserved.current, sum);
  });
}

}  // namespace
}  // namespace heddle::test
