// An allocator replay that is taken from another run must be the one that the run would have had.

#include "sim/engine/prepared_schedule.h"

#include <gtest/gtest.h>

#include <iterator>

#include "sim/base/rng.h"
#include "tests/support/seeds.h"
#include "tests/unit/engine/small_run.h"

namespace heddle::test {
namespace {

using engine::AllocatorResult;
using engine::AllocatorSample;
using schedule::BufferId;
using schedule::StreamKind;

/// Blocks that other streams use, kernels between them, host time now and then.
schedule::Schedule random_requests(Rng& rng) {
  schedule::ScheduleBuilder b(1);
  std::vector<BufferId> blocks;
  for (int step = 0; step < 2; ++step) {
    b.mark(schedule::Mark::Kind::kStepBegin, step);
    for (int i = 0; i < 60; ++i) {
      const auto stream = static_cast<StreamKind>(rng.uniform_int(0, 2));
      if (rng.chance(0.3)) b.compute(engine::kernel_of(rng.uniform_int(1, 40)), 1, "k", stream);
      if (rng.chance(0.25)) b.host_work(static_cast<int>(rng.uniform_int(1, 30)), "python");
      if (blocks.size() < 3 || rng.chance(0.5)) {
        blocks.push_back(b.alloc(schedule::MemoryCategory::kTemporary,
                                 {rng.uniform_int(1, 30) << 20}, "block", stream));
        continue;
      }
      BufferId& block =
          blocks[static_cast<std::size_t>(rng.uniform_int(0, std::ssize(blocks) - 1))];
      std::swap(block, blocks.back());
      rng.chance(0.5) ? b.free_after(blocks.back(), stream) : b.free(blocks.back());
      blocks.pop_back();
    }
    b.mark(schedule::Mark::Kind::kStepEnd, step);
  }
  for (BufferId& block : blocks) b.free(block);
  return b.finish(2);
}

void expect_equal(const AllocatorSample& one, const AllocatorSample& other) {
  EXPECT_EQ(one.time, other.time);
  EXPECT_EQ(one.op, other.op);
  EXPECT_EQ(one.allocated, other.allocated);
  EXPECT_EQ(one.active, other.active);
  EXPECT_EQ(one.reserved, other.reserved);
}

void expect_equal(const std::vector<AllocatorSample>& one,
                  const std::vector<AllocatorSample>& other) {
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t i = 0; i < one.size(); ++i) expect_equal(one[i], other[i]);
}

void expect_equal(const AllocatorResult& one, const AllocatorResult& other) {
  expect_equal(one.peak_active, other.peak_active);
  expect_equal(one.peak_reserved, other.peak_reserved);
  expect_equal(one.step_peak_active, other.step_peak_active);
  expect_equal(one.step_peak_reserved, other.step_peak_reserved);
  expect_equal(one.marks, other.marks);
  EXPECT_EQ(one.retries, other.retries);
  ASSERT_EQ(one.out_of_memory.has_value(), other.out_of_memory.has_value());
  if (one.out_of_memory) expect_equal(one.out_of_memory->state, other.out_of_memory->state);
}

AllocatorResult result_of(engine::SmallRun& run, const engine::PreparedSchedule* prepared) {
  run.options.record_intervals = prepared == nullptr;  // a recording run replays for itself
  run.options.prepared = prepared;
  return run.run().ranks.front().allocator.value();
}

/// The same schedule on GPUs of many speeds, with little memory and with much.
TEST(ReplayCache, AnswersAsAReplayWould) {
  for_each_seed([](std::uint64_t seed) {
    Rng rng(seed);
    engine::SmallRun run(random_requests(rng));
    const engine::PreparedSchedule prepared(run.schedule);
    for (int i = 0; i < 6; ++i) {
      run.speeds = {kPpb - rng.uniform_int(0, 4) * (kPpb / 5)};
      run.options.memory_limit = mebibytes(rng.chance(0.5) ? 0 : 200);
      expect_equal(result_of(run, &prepared), result_of(run, nullptr));
    }
  });
}

}  // namespace
}  // namespace heddle::test
