// Traces by hand. Sizes in MiB.

#include "sim/allocator/replay.h"

#include <gtest/gtest.h>

namespace heddle::allocator {
namespace {

using Kind = TraceEvent::Kind;

class TraceBuilder {
 public:
  std::uint32_t alloc(std::int64_t mib, std::int64_t time, std::uint16_t stream = 0) {
    trace_.events.push_back({Kind::kAlloc, stream, trace_.allocations, mebibytes(mib), {time}});
    return trace_.allocations++;
  }
  void use(std::uint32_t id, std::uint16_t stream, std::int64_t until) {
    trace_.events.push_back({Kind::kUse, stream, id, {}, {until}});
  }
  void free(std::uint32_t id, std::int64_t time) {
    trace_.events.push_back({Kind::kFree, 0, id, {}, {time}});
  }
  void segment(Kind kind, std::int64_t mib, std::int64_t time) {
    trace_.events.push_back({kind, 0, 0, mebibytes(mib), {time}});
  }
  Trace take() { return trace_; }

 private:
  Trace trace_;
};

/// 12 + 30 at 2 is the most allocated; 30 is freed, 40 needs a segment of its own: most reserved.
TEST(Replay, PeaksAndWhatWasAliveThen) {
  TraceBuilder b;
  const auto small = b.alloc(12, 1);
  const auto large = b.alloc(30, 2);
  b.free(large, 3);
  const auto last = b.alloc(40, 4);
  b.free(small, 5);
  b.free(last, 6);
  ReplayOptions options;
  options.keep_timeline = true;
  const ReplayResult result = replay(b.take(), options);
  EXPECT_EQ(result.peak_allocated.allocated, mebibytes(52));
  EXPECT_EQ(result.peak_allocated.event, 3U);
  EXPECT_EQ(result.peak_reserved.reserved, mebibytes(12 + 30 + 40));
  EXPECT_EQ(result.peak_reserved.time, SimTime{4});
  ASSERT_EQ(result.largest.size(), 2U);
  EXPECT_EQ(result.largest[0].id, last);
  EXPECT_EQ(result.largest[1].requested, mebibytes(12));
  EXPECT_EQ(result.largest[1].since, SimTime{1});
  EXPECT_EQ(result.segments.size(), 3U);
  EXPECT_EQ(result.timeline.size(), 6U);
  EXPECT_FALSE(result.recorded);
  EXPECT_FALSE(result.out_of_memory);
  EXPECT_EQ(result.stats.allocated.current.value, 0);
}

TEST(Replay, UsesOnOtherStreamsHoldABlock) {
  TraceBuilder b;
  const auto block = b.alloc(12, 1);
  b.use(block, 1, 10);
  b.free(block, 2);
  const auto second = b.alloc(12, 3);
  b.free(second, 11);
  b.alloc(12, 12);
  const ReplayResult result = replay(b.take(), {});
  EXPECT_EQ(result.peak_active.active, mebibytes(24));
  EXPECT_EQ(result.peak_allocated.allocated, mebibytes(12));
  EXPECT_EQ(result.peak_reserved.reserved, mebibytes(24));
}

TEST(Replay, TheFirstFailureIsNamedAndTheRestShown) {
  TraceBuilder b;
  b.alloc(30, 1);
  b.alloc(20, 2, 1);
  b.alloc(40, 3);
  ReplayOptions options;
  options.capacity = mebibytes(45);
  const ReplayResult result = replay(b.take(), options);
  ASSERT_TRUE(result.out_of_memory);
  EXPECT_EQ(result.out_of_memory->before.event, 1U);
  EXPECT_EQ(result.out_of_memory->before.reserved, mebibytes(30));
  EXPECT_EQ(result.out_of_memory->requested, mebibytes(20));
  EXPECT_EQ(result.out_of_memory->stream, 1);
  EXPECT_EQ(result.peak_reserved.reserved, mebibytes(90));
}

/// 100 before, + 20, - 50, + 10: most at 2, 80 at the end.
TEST(Replay, SumsRecordedSegments) {
  TraceBuilder b;
  b.alloc(1, 1);
  b.segment(Kind::kSegmentAlloc, 20, 2);
  b.segment(Kind::kSegmentFree, 50, 3);
  b.segment(Kind::kSegmentAlloc, 10, 4);
  Trace trace = b.take();
  trace.reserved_before = mebibytes(100);
  const ReplayResult result = replay(trace, {});
  ASSERT_TRUE(result.recorded);
  EXPECT_EQ(result.recorded->peak, mebibytes(120));
  EXPECT_EQ(result.recorded->peak_time, SimTime{2});
  EXPECT_EQ(result.recorded->last, mebibytes(80));
}

TEST(Replay, AnEmptyTraceIsNothing) {
  const ReplayResult result = replay({}, {});
  EXPECT_EQ(result.peak_reserved.reserved.value, 0);
  EXPECT_TRUE(result.segments.empty());
}

}  // namespace
}  // namespace heddle::allocator
