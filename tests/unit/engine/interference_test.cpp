// Kernels beside a collective, by hand. One rank pair, one link of 1 byte per ns, collective of
// 1000 bytes without latency: it runs 1000 ns from its start.

#include <gtest/gtest.h>

#include "sim/engine/cost_table.h"
#include "sim/engine/simulation.h"
#include "sim/schedule/schedule_builder.h"

namespace heddle::engine {
namespace {

using schedule::Kernel;
using schedule::ScheduleBuilder;
using schedule::StreamKind;

constexpr std::int64_t kAlone = 1000;  // ns, the kernel by itself

Kernel some_kernel() {
  Kernel kernel;
  kernel.bytes = {1};
  return kernel;
}

/// The kernel starts at 0; the collective after `delay` ns of another kernel on its own stream.
schedule::Schedule schedule_with(bool with_collective) {
  ScheduleBuilder b(2);
  b.mark(schedule::Mark::Kind::kStepBegin, 0);
  Kernel delay = some_kernel();
  delay.bytes = {2};
  if (with_collective) {
    b.compute(delay, 0, "delay", StreamKind::kReduce);
    b.collective(
        {schedule::CollectiveKind::kAllReduce, b.world(), {1000}, schedule::DType::kBFloat16}, 0,
        "reduce", StreamKind::kReduce);
  }
  b.compute(some_kernel(), 0, "work");
  b.mark(schedule::Mark::Kind::kStepEnd, 0);
  return b.finish(1);
}

/// `slow`: time of the kernel while the collective runs. The delay kernel takes 400 ns.
RunResult run(const schedule::Schedule& s, std::int64_t slow) {
  CostTable costs;
  for (const Kernel& kernel : s.kernels) {
    costs.kernels.push_back(nanoseconds(kernel.bytes.value == 2 ? 400 : kAlone));
  }
  costs.links = {{1'000'000'000}};
  static const std::vector<collective::LinkUse> kUses{{fabric::LinkId{0}, kPpb, kPpb}};
  for (std::size_t c = 0; c < s.collectives.size(); ++c) {
    collective::CollectiveCost cost;
    cost.payload = {1000};
    cost.uses = kUses;
    cost.rate = cost.rate_cap = {1'000'000'000};
    cost.total = nanoseconds(1000);
    costs.collectives.push_back(cost);
    costs.beside.emplace_back();
    for (const Kernel& kernel : s.kernels) {
      costs.beside.back().push_back(nanoseconds(kernel.bytes.value == 2 ? 400 : slow));
    }
  }
  return simulate(s, costs, {.fold = true, .record_intervals = true});
}

SimTime end_of_work(const RunResult& result) {
  for (const Interval& interval : result.ranks[0].intervals) {
    if (interval.stream == StreamKind::kCompute) return interval.end;
  }
  return {};
}

TEST(KernelsBesideCollectives, AloneTakesItsOwnTime) {
  EXPECT_EQ(end_of_work(run(schedule_with(false), 2000)), SimTime{} + nanoseconds(kAlone));
}

// 400 ns alone do 40 %; from 400 to 1400 the collective runs and the kernel is at half speed: 50 %
// more; the last 10 % take 100 ns: 1500.
TEST(KernelsBesideCollectives, SlowsOnlyWhileTheyOverlap) {
  EXPECT_EQ(end_of_work(run(schedule_with(true), 2000)), SimTime{} + nanoseconds(1500));
}

// 40 % by 400; then at 1 / 1.2: the rest takes 600 * 1.2 = 720, within the collective: 1120.
TEST(KernelsBesideCollectives, EndsInsideTheCollective) {
  EXPECT_EQ(end_of_work(run(schedule_with(true), 1200)), SimTime{} + nanoseconds(1120));
}

TEST(KernelsBesideCollectives, CountAsCompute) {
  const RunResult result = run(schedule_with(true), 2000);
  EXPECT_EQ(result.ranks[0].steps[0].compute, nanoseconds(1500));
}

}  // namespace
}  // namespace heddle::engine
