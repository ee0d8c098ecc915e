// A host that may be only so many launches ahead of its GPU.

#include <gtest/gtest.h>

#include "tests/unit/engine/small_run.h"

namespace heddle::engine {
namespace {

using schedule::MemoryCategory;
using schedule::ScheduleBuilder;
using schedule::StreamKind;

/// Host time at which the last buffer of the first rank is allocated.
SimTime last_alloc(const SmallRun& run) {
  return run.run().ranks[0].memory.back().time;
}

SmallRun four_kernels(std::int64_t run_ahead) {
  ScheduleBuilder b(1);
  for (const char* name : {"a", "b", "c", "d"}) b.compute(kernel_of(10), 1, name);
  b.alloc(MemoryCategory::kTemporary, Bytes{512}, "x");
  SmallRun run(b.finish(0));
  run.run_ahead = run_ahead;
  return run;
}

// Kernels run back to back from 4 us: 4..14, ..24, ..34, ..44. With two on the stream the third is
// issued when the first ends, at 14, the fourth at 24, and the host goes on.
TEST(RunAhead, TheHostWaitsWhenTheStreamIsFull) {
  EXPECT_EQ(last_alloc(four_kernels(0)), at_us(4));
  EXPECT_EQ(last_alloc(four_kernels(4)), at_us(4));
  EXPECT_EQ(last_alloc(four_kernels(3)), at_us(14));
  EXPECT_EQ(last_alloc(four_kernels(2)), at_us(24));
}

// With one on the stream each launch waits for the kernel before: issued at its end, 3 us later it
// starts. 4..14, 17..27, 30..40, 43..53.
TEST(RunAhead, ASingleLaunchBringsTheLatencyBack) {
  const RunResult result = four_kernels(1).run();
  EXPECT_EQ(interval_of(result.ranks[0], 3).start, at_us(43));
  EXPECT_EQ(interval_of(four_kernels(2).run().ranks[0], 3).end, at_us(44));
}

// An operator of three kernels takes three places; one that is larger than the limit waits for an
// empty stream and then goes.
TEST(RunAhead, CountsKernelsNotOperators) {
  ScheduleBuilder b(1);
  b.compute(kernel_of(10), 1, "a");
  schedule::Kernel three = kernel_of(10);
  three.launches = 3;
  b.compute(three, 1, "b");
  b.alloc(MemoryCategory::kTemporary, Bytes{512}, "x");
  SmallRun run(b.finish(0));
  run.run_ahead = 4;
  EXPECT_EQ(last_alloc(run), at_us(2));
  for (const std::int64_t limit : {2, 3}) {
    run.run_ahead = limit;
    EXPECT_EQ(last_alloc(run), at_us(14)) << limit;
  }
}

// Streams have queues of their own, and events take no place in them.
TEST(RunAhead, OtherStreamsDoNotCount) {
  ScheduleBuilder b(1);
  b.compute(kernel_of(10), 1, "a");
  b.wait(StreamKind::kGather, b.record(StreamKind::kCompute));
  b.compute(kernel_of(10), 1, "b", StreamKind::kGather);
  b.alloc(MemoryCategory::kTemporary, Bytes{512}, "x");
  SmallRun run(b.finish(0));
  run.run_ahead = 1;
  EXPECT_EQ(last_alloc(run), at_us(2));
}

}  // namespace
}  // namespace heddle::engine
