#include "sim/engine/executor.h"

#include <gtest/gtest.h>

#include "sim/schedule/schedule_builder.h"
#include "tests/support/collective_machines.h"
#include "tests/unit/engine/small_run.h"

namespace heddle::engine {
namespace {

using schedule::StreamKind;

/// 4 TB/s of which 80 % are achieved.
model::GpuModel gpu() {
  model::GpuModel gpu;
  gpu.name = "test";
  gpu.hbm = {4'000'000'000'000};
  gpu.hbm_efficiency = 0.8;
  gpu.sm_count = 132;
  gpu.peak.fill(FlopRate{1e15});
  gpu.gemm_efficiency = 1;
  gpu.attention_efficiency = 1;
  gpu.launch_latency = microseconds(3);
  return gpu;
}

/// A memory-bound kernel over 3.2 GB: 1 ms at 3.2 TB/s.
schedule::Kernel one_millisecond() {
  schedule::Kernel kernel;
  kernel.bytes = Bytes{3'200'000'000};
  return kernel;
}

TEST(Executor, PricesKernelsAndCollectivesOnThePlatform) {
  const fabric::Fabric fabric = test::bridged_quads(test::h200_nvl());
  const collective::CollectiveModel quad = test::model_of(fabric, test::first_gpus(4));
  const model::GpuModel model = gpu();
  schedule::ScheduleBuilder b(4);
  b.compute(one_millisecond(), 1, "pass");
  b.wait(StreamKind::kReduce, b.record(StreamKind::kCompute));
  b.collective(all_reduce_of(1 << 28), 1, "reduce", StreamKind::kReduce);
  const Platform platform{fabric, model, {{quad}}, {microseconds(10), microseconds(5)}};
  const RunResult result = execute(b.finish(0), platform, {});
  const Interval pass = interval_of(result.ranks.at(0), 0);
  const Interval reduce = interval_of(result.ranks.at(0), 3);
  EXPECT_EQ(pass.start, at_us(13));
  EXPECT_EQ(pass.end - pass.start, milliseconds(1));
  EXPECT_EQ(reduce.start, pass.end);
  EXPECT_EQ(reduce.end - reduce.start,
            quad.cost({schedule::CollectiveKind::kAllReduce, Bytes{1 << 28}}).total);
}

// Two communicators over one quad, both limited by the links: each gets half the rate.
TEST(Executor, CommunicatorsOnTheSameLinksShareThem) {
  const fabric::Fabric fabric = test::bridged_quads(test::h200_nvl());
  const collective::CollectiveModel quad = test::model_of(fabric, test::first_gpus(4));
  const model::GpuModel model = gpu();
  schedule::ScheduleBuilder b(4);
  b.collective(all_reduce_of(1 << 28, 0), 0, "first", StreamKind::kReduce);
  b.collective(all_reduce_of(1 << 28, 1), 0, "second", StreamKind::kGather);
  schedule::Schedule s = b.finish(0);
  s.communicators.resize(1);
  s.communicators.push_back({"second", s.communicators[0].groups});
  const RunResult result = execute(s, {fabric, model, {{quad}, {quad}}, {}}, {});
  const auto cost = quad.cost({schedule::CollectiveKind::kAllReduce, Bytes{1 << 28}});
  ASSERT_TRUE(cost.limiting_link.has_value());
  const double expected = (cost.latency + 2 * (cost.payload / cost.rate)).seconds();
  for (std::uint32_t op = 0; op < 2; ++op) {
    const Interval life = interval_of(result.ranks.at(0), op);
    EXPECT_NEAR((life.end - life.start).seconds(), expected, 1e-8 * expected);
  }
}

}  // namespace
}  // namespace heddle::engine
