// One launch per step: no host time, smaller gaps, and plans that a graph cannot hold.

#include "sim/run/cuda_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/schedule/schedule_builder.h"
#include "tests/unit/run/small_study.h"

namespace heddle::run {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

Scenario graphed(std::size_t strategy) {
  Scenario s = small_scenario();
  s.strategies = {s.strategies[strategy]};
  s.host.cuda_graph = true;
  s.training.optimizer.kernel = parallel::OptimizerKernel::kFused;
  return s;
}

CaseResult run_only(const Scenario& scenario) {
  Diagnostics out;
  const auto study = study_of(scenario, out);
  EXPECT_TRUE(study.has_value()) << out.all().front().message;
  return study->run(study->cases().front(), false);
}

// The small model is bound by its host: 5 us per operator.
TEST(CudaGraph, TheHostCostsNothing) {
  Scenario eager = graphed(0);
  eager.host.cuda_graph = false;
  const CaseResult without = run_only(eager);
  const CaseResult with = run_only(graphed(0));
  EXPECT_GT(without.accounting.host, milliseconds(1));
  EXPECT_LT(with.step_time, without.step_time);
  EXPECT_LE(with.accounting.host, small_gpu().launch_latency);
  EXPECT_EQ(with.memory.peak_allocated, without.memory.peak_allocated);
  for (const HostDispatchLine& line : with.host) EXPECT_EQ(line.time, Duration{});
}

TEST(CudaGraph, ANodeIsShorterThanAKernelByItself) {
  model::GpuModel gpu = small_gpu();
  EXPECT_EQ(captured(gpu).kernel_floor, kGraphNode);
  gpu.kernel_floor = microseconds(1);
  EXPECT_EQ(captured(gpu).kernel_floor, microseconds(1));
}

void expect_refused(const Scenario& scenario, const std::string& why) {
  Diagnostics out;
  EXPECT_FALSE(study_of(scenario, out));
  ASSERT_THAT(out.all(), SizeIs(1));
  EXPECT_EQ(out.all()[0].code, "not-modelled");
  EXPECT_THAT(out.all()[0].message, HasSubstr(why));
}

TEST(CudaGraph, RefusesStepCountsOnTheHost) {
  Scenario s = graphed(0);
  s.training.optimizer.kernel = parallel::OptimizerKernel::kForeach;
  expect_refused(s, "optimizer.capturable");
}

// FSDP 1 limits its all-gathers by waiting for them.
TEST(CudaGraph, RefusesAHostThatWaitsForTheGpu) {
  expect_refused(graphed(1), "in the middle of a step");
}

// The loss is read when everything has been launched.
TEST(CudaGraph, AWaitAtTheEndIsOutside) {
  using schedule::StreamKind;
  for (const bool more : {false, true}) {
    schedule::ScheduleBuilder b(1);
    b.mark(schedule::Mark::Kind::kStepBegin, 0);
    b.compute({}, 1, "a");
    b.host_wait(b.record(StreamKind::kCompute));
    if (more) b.compute({}, 1, "b");
    b.mark(schedule::Mark::Kind::kStepEnd, 0);
    parallel::TrainingSpec spec;
    spec.optimizer.capturable = true;
    EXPECT_EQ(capture_problem(b.finish(1), spec).empty(), !more);
  }
}

}  // namespace
}  // namespace heddle::run
