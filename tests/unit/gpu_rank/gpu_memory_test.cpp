#include "validator/gpu_rank/gpu_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "sim/base/rng.h"
#include "sim/engine/simulation.h"
#include "sim/schedule/schedule_builder.h"
#include "validator/device/clock.h"
#include "validator/gpu/host_gpu.h"

namespace heddle::gpu_rank {
namespace {

using schedule::BufferId;
using schedule::MemoryCategory;
using schedule::ScheduleBuilder;
using schedule::StreamKind;
using ::testing::HasSubstr;

class GpuMemoryTest : public testing::Test {
 protected:
  GpuMemoryTest() : gpu_({gibibytes(4), testing::TempDir()}) {
    for (gpu::Stream& stream : streams_) gpu_.make_stream(false, stream);
  }
  Bytes used() const {
    gpu::MemoryInfo info;
    gpu_.memory(info);
    return info.total - info.free;
  }
  gpu::HostGpu gpu_;
  Streams streams_{};
};

/// The segments that are really taken are those that the simulator predicts, op by op.
TEST_F(GpuMemoryTest, ReservesWhatTheSimulatorSaysItWill) {
  ScheduleBuilder b(1);
  Rng rng(7);
  std::vector<BufferId> alive;
  b.mark(schedule::Mark::Kind::kStepBegin, 0);
  for (int i = 0; i < 400; ++i) {
    if (alive.size() > 20 || (!alive.empty() && rng.uniform() < 0.4)) {
      const auto at = static_cast<std::size_t>(rng.uniform() * static_cast<double>(alive.size()));
      b.free(alive[at]);
      alive.erase(alive.begin() + static_cast<long>(at));
      continue;
    }
    const double size = std::exp(rng.uniform() * 15) + 1;
    const auto pool = rng.uniform() < 0.5 ? StreamKind::kCompute : StreamKind::kReduce;
    alive.push_back(
        b.alloc(MemoryCategory::kActivations, {static_cast<std::int64_t>(10 * size)}, "x", pool));
  }
  b.mark(schedule::Mark::Kind::kStepEnd, 0);
  const schedule::Schedule s = b.finish(1);
  const engine::RunResult predicted = engine::simulate(s, {}, {});
  const auto& samples = predicted.ranks.front().allocator->samples;
  GpuMemory memory(gpu_, s, streams_, Allocator::kCaching, gibibytes(4));
  std::size_t at = 0;
  for (const schedule::Op& op : s.programs.front().ops) {
    if (op.kind == schedule::OpKind::kMark) continue;
    const BufferId id{op.arg};
    const bool is_alloc = op.kind == schedule::OpKind::kAlloc;
    ASSERT_FALSE(is_alloc ? memory.allocate(id) : memory.free(id));
    ASSERT_EQ(memory.reserved(), samples.at(at).reserved) << at;
    ASSERT_EQ(used(), memory.reserved());
    ASSERT_EQ(memory.count().total(), predicted.ranks.front().memory.at(at).total());
    ++at;
  }
  EXPECT_EQ(at, samples.size());
  memory.reset();
  EXPECT_EQ(used(), Bytes{});
}

/// 30 MiB have a segment of their own. While another stream uses the freed one, the next request
/// needs a second; once it is done, the third does not.
TEST_F(GpuMemoryTest, ABlockInUseByAnotherStreamIsNotHandedOut) {
  ScheduleBuilder b(1);
  std::vector<BufferId> ids;
  for (int i = 0; i < 3; ++i) {
    ids.push_back(b.alloc(MemoryCategory::kGradients, mebibytes(30), "x"));
    b.record_stream(ids.back(), StreamKind::kGather);
  }
  const schedule::Schedule s = b.finish(1);
  GpuMemory memory(gpu_, s, streams_, Allocator::kCaching, gibibytes(4));
  std::atomic<bool> released = false;
  const auto hold = [](void* flag) {
    while (!static_cast<std::atomic<bool>*>(flag)->load()) std::this_thread::yield();
  };
  ASSERT_FALSE(memory.allocate(ids[0]));
  gpu_.call_host(streams_[static_cast<std::size_t>(StreamKind::kGather)], hold, &released);
  ASSERT_FALSE(memory.free(ids[0]));
  EXPECT_EQ(memory.count().total(), Bytes{});
  ASSERT_FALSE(memory.allocate(ids[1]));
  EXPECT_EQ(memory.reserved(), mebibytes(60));
  released.store(true);
  gpu::Event done = nullptr;
  gpu_.make_event(false, done);
  gpu_.record(done, streams_[static_cast<std::size_t>(StreamKind::kGather)]);
  for (bool reached = false; !reached;) gpu_.query(done, reached);
  ASSERT_FALSE(memory.allocate(ids[2]));
  EXPECT_EQ(memory.reserved(), mebibytes(60));
}

/// Instead of failing, it waits for the stream that still uses what was freed.
TEST_F(GpuMemoryTest, WaitsForBlocksInUseBeforeItGivesUp) {
  ScheduleBuilder b(1);
  std::vector<BufferId> ids;
  for (int i = 0; i < 2; ++i) {
    ids.push_back(b.alloc(MemoryCategory::kGradients, mebibytes(30), "x"));
    b.record_stream(ids.back(), StreamKind::kGather);
  }
  const schedule::Schedule s = b.finish(1);
  GpuMemory memory(gpu_, s, streams_, Allocator::kCaching, mebibytes(40));
  ASSERT_FALSE(memory.allocate(ids[0]));
  gpu_.call_host(
      streams_[static_cast<std::size_t>(StreamKind::kGather)],
      [](void*) { device::steady_clock().sleep_ns(50'000'000); }, nullptr);
  ASSERT_FALSE(memory.free(ids[0]));
  EXPECT_FALSE(memory.allocate(ids[1]));
}

TEST_F(GpuMemoryTest, SaysWhatIsNeededAndFree) {
  ScheduleBuilder b(1);
  const BufferId id = b.alloc(MemoryCategory::kGradients, mebibytes(300), "x");
  const schedule::Schedule s = b.finish(1);
  for (const Allocator kind : {Allocator::kCaching, Allocator::kAsync}) {
    GpuMemory memory(gpu_, s, streams_, kind, mebibytes(100));
    const gpu::Problem problem = memory.allocate(id);
    ASSERT_TRUE(problem);
    EXPECT_EQ(problem->kind, device::FailureKind::kOutOfMemory);
    EXPECT_THAT(problem->text, HasSubstr("0.31 GB needed, 0.10 GB free of 0.10 GB"));
  }
}

TEST_F(GpuMemoryTest, TheDriversOwnAllocatorTakesWhatIsAsked) {
  ScheduleBuilder b(1);
  const BufferId id = b.alloc(MemoryCategory::kGradients, Bytes{1000}, "x");
  b.record_stream(id, StreamKind::kReduce);
  const schedule::Schedule s = b.finish(1);
  GpuMemory memory(gpu_, s, streams_, Allocator::kAsync, mebibytes(100));
  ASSERT_FALSE(memory.allocate(id));
  EXPECT_EQ(used(), Bytes{1024});
  EXPECT_EQ(memory.count().total(), Bytes{1024});
  ASSERT_FALSE(memory.free(id));
  for (int polls = 0; polls < 1000 && used().value > 0; ++polls) {
    device::steady_clock().sleep_ns(1'000'000);
  }
  EXPECT_EQ(used(), Bytes{});
}

}  // namespace
}  // namespace heddle::gpu_rank
