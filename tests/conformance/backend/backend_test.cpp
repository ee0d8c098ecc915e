// What every backend must do with a schedule, whatever it runs on.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/schedule/schedule_builder.h"
#include "tests/conformance/backend/backends.h"
#include "tests/support/random_schedule.h"
#include "validator/execute/measured_result.h"

namespace heddle::test {
namespace {

using schedule::CollectiveKind;
using schedule::DType;
using schedule::Kernel;
using schedule::KernelKind;
using schedule::Mark;
using schedule::MemoryCategory;
using schedule::OpKind;
using schedule::ScheduleBuilder;
using schedule::StreamKind;
using ::testing::HasSubstr;

class BackendConformance : public testing::TestWithParam<Backend> {
 protected:
  void SetUp() override {
    const std::string missing = GetParam().missing();
    if (!missing.empty()) GTEST_SKIP() << "cannot run here: " << missing;
  }
  /// Of a run that must be good.
  std::vector<execute::RankRun> run(const schedule::Schedule& schedule,
                                    const execute::RunOptions& options) {
    Outcome outcome = GetParam().run({schedule, options});
    EXPECT_EQ(outcome.failure, "");
    if (outcome.repeats.empty()) return {};
    return std::move(outcome.repeats.front());
  }
  std::string failure(const Job& job) { return GetParam().run(job).failure; }
};

Kernel sweep(std::int64_t bytes) {
  Kernel k;
  k.bytes = {bytes};
  return k;
}

Kernel product(std::int64_t size) {
  Kernel k;
  k.kind = KernelKind::kGemm;
  k.m = k.n = k.k = size;
  k.flops = {2.0 * static_cast<double>(size * size * size)};
  return k;
}

execute::RunOptions verified() {
  execute::RunOptions options;
  options.settings.verify = true;
  options.deadline_ns = 20'000'000'000;
  return options;
}

/// Start and end of an op of a rank, by its index in the program.
const device::OpTime& time_of(const execute::RankRun& run, std::uint32_t op) {
  const auto found = std::find_if(run.ops.begin(), run.ops.end(),
                                  [&](const device::OpTime& t) { return t.op == op; });
  EXPECT_NE(found, run.ops.end()) << "op " << op << " was not run";
  return *found;
}

TEST_P(BackendConformance, EveryCollectiveDeliversTheRightData) {
  ScheduleBuilder b(3);
  for (const CollectiveKind kind : schedule::kCollectiveKinds) {
    for (const DType dtype : {DType::kBFloat16, DType::kFloat32}) {
      for (const std::int64_t bytes : {12, 4096, 200'000}) {
        b.collective({kind, b.world(), {bytes}, dtype}, 1, "c", StreamKind::kReduce);
      }
    }
  }
  const schedule::Schedule s = b.finish(1);
  const auto runs = run(s, verified());
  ASSERT_EQ(runs.size(), 3U);
  for (const execute::RankRun& rank : runs) {
    EXPECT_EQ(rank.ops.size(), s.programs[0].ops.size());
  }
}

/// The data of a rank that met the wrong group, or another place in its own, is wrong.
TEST_P(BackendConformance, GroupsOfACommunicatorKeepApart) {
  ScheduleBuilder b({schedule::world_communicator(4),
                     {"shard", {{0, 1}, {2, 3}}},
                     {"replicate", {{2, 0}, {3, 1}}}});
  for (const CollectiveKind kind : schedule::kCollectiveKinds) {
    b.collective({kind, schedule::CommunicatorId{std::size_t{1}}, {8192}, DType::kFloat32}, 1, "c",
                 StreamKind::kReduce);
    b.collective({kind, schedule::CommunicatorId{std::size_t{2}}, {4096}, DType::kFloat32}, 1, "c",
                 StreamKind::kReplicate);
  }
  EXPECT_EQ(run(b.finish(1), verified()).size(), 4U);
}

TEST_P(BackendConformance, AStreamRunsItsOpsInOrder) {
  ScheduleBuilder b(2);
  for (int i = 0; i < 20; ++i) {
    b.compute(i % 2 == 0 ? product(32) : sweep(65'536), 1, "work");
  }
  for (const execute::RankRun& rank : run(b.finish(1), verified())) {
    ASSERT_EQ(rank.ops.size(), 20U);
    for (std::size_t i = 0; i < rank.ops.size(); ++i) {
      EXPECT_EQ(rank.ops[i].op, i);
      EXPECT_LE(rank.ops[i].start_ns, rank.ops[i].end_ns);
      if (i == 0) continue;
      EXPECT_GE(rank.ops[i].start_ns, rank.ops[i - 1].end_ns);
    }
  }
}

TEST_P(BackendConformance, AWaitHoldsItsStreamUntilTheEvent) {
  ScheduleBuilder b(2);
  b.compute(sweep(32 << 20), 1, "long");                           // op 0
  const schedule::EventId event = b.record(StreamKind::kCompute);  // op 1
  b.wait(StreamKind::kReduce, event);                              // op 2
  b.collective({CollectiveKind::kAllReduce, b.world(), {1024}}, 1, "after",
               StreamKind::kReduce);  // op 3
  for (const execute::RankRun& rank : run(b.finish(1), verified())) {
    EXPECT_GE(time_of(rank, 3).start_ns, time_of(rank, 0).end_ns);
  }
}

TEST_P(BackendConformance, StreamsRunBesideEachOther) {
  ScheduleBuilder b(2);
  for (int i = 0; i < 40; ++i) b.compute(sweep(32 << 20), 1, "long");  // ops 0 to 39
  b.collective({CollectiveKind::kAllReduce, b.world(), {1024}}, 1, "short",
               StreamKind::kReduce);  // op 40
  for (const execute::RankRun& rank : run(b.finish(1), verified())) {
    EXPECT_LT(time_of(rank, 40).start_ns, time_of(rank, 39).end_ns);
  }
}

/// One communicator, two streams: number 1 may not start before number 0 has ended, though its
/// stream is free.
TEST_P(BackendConformance, ACommunicatorRunsItsCollectivesInOrder) {
  ScheduleBuilder b(2);
  for (int i = 0; i < 10; ++i) {
    b.collective({CollectiveKind::kAllReduce, b.world(), {400'000}}, 1, "large",
                 StreamKind::kReduce);
    b.collective({CollectiveKind::kAllGather, b.world(), {64}}, 1, "small", StreamKind::kGather);
  }
  const auto runs = run(b.finish(1), verified());
  for (const execute::RankRun& rank : runs) {
    for (std::uint32_t op = 1; op < 20; ++op) {
      EXPECT_GE(time_of(rank, op).start_ns, time_of(rank, op - 1).end_ns) << op;
    }
  }
}

TEST_P(BackendConformance, AHostWaitHoldsTheHost) {
  ScheduleBuilder b(2);
  b.compute(sweep(32 << 20), 1, "long");
  b.host_wait(b.record(StreamKind::kCompute));
  b.mark(Mark::Kind::kStepBegin, 0);
  for (const execute::RankRun& rank : run(b.finish(1), verified())) {
    ASSERT_EQ(rank.marks_ns.size(), 1U);
    EXPECT_GE(rank.marks_ns[0], time_of(rank, 0).end_ns);
  }
}

TEST_P(BackendConformance, CountsMemoryAtEveryAllocAndFree) {
  ScheduleBuilder b(2);
  schedule::BufferId x = b.alloc(MemoryCategory::kGradients, {1000}, "x");
  schedule::BufferId y = b.alloc(MemoryCategory::kActivations, {4096}, "y");
  b.free(x);
  b.free(y);
  execute::RunOptions options = verified();
  options.memory = true;
  options.settings.return_memory = true;
  for (const execute::RankRun& rank : run(b.finish(1), options)) {
    ASSERT_EQ(rank.memory.size(), 4U);
    const auto total = [&](std::size_t i) { return rank.memory[i].count.total().value; };
    EXPECT_EQ(total(0), 1024);
    EXPECT_EQ(total(1), 5120);
    EXPECT_EQ(total(2), 4096);
    EXPECT_EQ(total(3), 0);
  }
}

TEST_P(BackendConformance, SaysWhenMemoryIsNotEnough) {
  ScheduleBuilder b(2);
  schedule::BufferId x = b.alloc(MemoryCategory::kGradients, {2 << 20}, "x");
  b.free(x);
  const schedule::Schedule s = b.finish(1);
  EXPECT_THAT(failure({s, verified(), 1, mebibytes(1)}), HasSubstr("out of memory: "));
}

/// A collective that one rank never joins.
TEST_P(BackendConformance, AHangEndsAtItsDeadline) {
  ScheduleBuilder b(2);
  b.collective({CollectiveKind::kAllReduce, b.world(), {1024}}, 1, "lonely", StreamKind::kReduce);
  schedule::Schedule s = b.finish(1);
  s.programs.push_back({});
  s.program_of_rank = {0, 1};
  execute::RunOptions options = verified();
  options.deadline_ns = 200'000'000;
  EXPECT_THAT(failure({s, options}), HasSubstr("timeout: "));
}

TEST_P(BackendConformance, RanksThatDisagreeAreTold) {
  ScheduleBuilder b(2);
  b.collective({CollectiveKind::kAllReduce, b.world(), {1024}}, 1, "a", StreamKind::kReduce);
  schedule::Schedule s = b.finish(1);
  s.programs.push_back(s.programs[0]);
  s.collectives.push_back({CollectiveKind::kAllReduce, b.world(), {2048}});
  s.programs[1].ops[0].arg = 1;
  s.program_of_rank = {0, 1};
  const std::string text = failure({s, verified()});
  EXPECT_THAT(text, HasSubstr("mismatch: "));
  EXPECT_THAT(text, HasSubstr("all_reduce of 2048 bytes"));
}

/// One wrong bit in the second collective of rank 1.
TEST_P(BackendConformance, WrongDataIsSeenAndPlaced) {
  ScheduleBuilder b(2);
  for (int i = 0; i < 3; ++i) {
    b.collective({CollectiveKind::kAllReduce, b.world(), {1024}, DType::kFloat32}, 1, "a",
                 StreamKind::kReduce);
  }
  const schedule::Schedule s = b.finish(1);
  const std::string text =
      failure({s, verified(), 1, gibibytes(1), {execute::FaultKind::kCorrupt, 1, 1}});
  EXPECT_THAT(text, HasSubstr("wrong data: rank 1, all_reduce of 1024 bytes, number 1: 1 of 256"));
}

TEST_P(BackendConformance, RunsAgainAndLeavesNothingBehind) {
  ScheduleBuilder b(2);
  b.alloc(MemoryCategory::kGradients, {1 << 20}, "left to the next begin");
  b.compute(product(16), 1, "p");
  b.collective({CollectiveKind::kAllReduce, b.world(), {1024}}, 1, "r", StreamKind::kReduce);
  const schedule::Schedule s = b.finish(1);
  execute::RunOptions options = verified();
  options.memory = true;
  const Outcome outcome = GetParam().run({s, options, 5, mebibytes(2)});
  EXPECT_EQ(outcome.failure, "");
  ASSERT_EQ(outcome.repeats.size(), 5U);
  for (const auto& runs : outcome.repeats) {
    EXPECT_EQ(runs[0].ops.size(), 2U);
    EXPECT_EQ(runs[0].memory.front().count.total().value, 1 << 20);
  }
}

/// Any schedule that is sound runs to its end, and measures every op once.
TEST_P(BackendConformance, RunsRandomSchedules) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seed);
    schedule::Schedule s = random_case(seed).schedule;
    for (Kernel& k : s.kernels) k = k.kind == KernelKind::kMemory ? sweep(4096) : product(8);
    const auto runs = run(s, verified());
    if (HasFailure()) return;
    const engine::RunResult result = execute::measured_result(s, runs);
    for (const engine::RankResult& rank : result.ranks) {
      const auto& ops = s.programs[static_cast<std::size_t>(rank.program)].ops;
      const auto timed = std::count_if(ops.begin(), ops.end(), [](const schedule::Op& op) {
        return op.kind == OpKind::kCompute || op.kind == OpKind::kCollective;
      });
      EXPECT_EQ(static_cast<long>(rank.intervals.size()), timed);
      EXPECT_EQ(rank.steps.size(), 2U);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, BackendConformance, testing::ValuesIn(backends()),
                         [](const auto& backend) { return backend.param.name; });

}  // namespace
}  // namespace heddle::test
