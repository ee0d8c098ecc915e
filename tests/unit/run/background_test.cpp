// From a declared flow to what the job's collectives get, worked by hand on small machines.

#include "sim/run/background.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/engine/executor.h"
#include "sim/schedule/schedule_builder.h"
#include "tests/support/collective_machines.h"

namespace heddle::run {
namespace {

using ::testing::HasSubstr;

constexpr Bytes kGibibyte = gibibytes(1);

std::vector<engine::BackgroundFlow> resolve(const fabric::Fabric& fabric,
                                            const std::vector<fabric::DeviceId>& job,
                                            std::vector<BackgroundChoice> choices, Diagnostics& out,
                                            bool p2p = true) {
  const collective::NcclTuning tuning = test::hopper();
  const std::string file = "x.json";
  return resolve_background(choices, {fabric, job, p2p, tuning, file}, out);
}

/// Time of one all-reduce of 1 GiB over `job` beside the flows.
Duration all_reduce_beside(const fabric::Fabric& fabric, const std::vector<fabric::DeviceId>& job,
                           std::vector<engine::BackgroundFlow> flows) {
  const collective::CollectiveModel model = test::model_of(fabric, job);
  model::GpuModel gpu;
  gpu.hbm = {4'000'000'000'000};
  gpu.hbm_efficiency = 0.9;
  gpu.sm_count = 132;
  gpu.launch_latency = microseconds(3);
  schedule::ScheduleBuilder b(static_cast<int>(job.size()));
  b.collective({schedule::CollectiveKind::kAllReduce, schedule::CommunicatorId{std::size_t{0}},
                kGibibyte, schedule::DType::kBFloat16},
               0, "ar", schedule::StreamKind::kReduce);
  const engine::HostModel host{microseconds(1), microseconds(4)};
  const engine::Platform platform{fabric, gpu, {{model}}, host, {}, std::move(flows)};
  const engine::Interval life =
      engine::execute(b.finish(0), platform, {}).ranks.at(0).intervals.at(0);
  return life.end - life.start;
}

BackgroundChoice steady(const std::string& from, const std::string& to, std::int64_t gb_per_s) {
  return {"steady", PointFlow{from, to, Bandwidth{gb_per_s * 1'000'000'000}}, {}, {}, {}, "/0"};
}

BackgroundChoice tenant(std::vector<std::string> gpus) {
  return {"tenant",
          TenantCollective{schedule::CollectiveKind::kAllReduce, std::move(gpus)},
          gigabytes(1'000),
          {},
          {},
          "/0"};
}

// A ring over four ports of 370.8 GB/s sends 1.5 bytes per byte at 89.3 %: a port is kept busy for
// 1.5 / 0.893 of the payload. A flow of 70.8 GB/s between two of the GPUs leaves 300 GB/s of gpu0's
// port: (300 * 0.893 / 1.5) GB/s.
TEST(Background, AnAllReduceGetsWhatACappedFlowLeaves) {
  const fabric::Fabric fabric = test::nvswitch_node(test::h200_sxm());
  const auto job = test::first_gpus(4);
  Diagnostics out;
  const auto choice = BackgroundChoice{
      "steady", PointFlow{"gpu0", "gpu1", Bandwidth{70'800'000'000}}, {}, {}, {}, "/0"};
  const auto flows = resolve(fabric, job, {choice}, out);
  ASSERT_EQ(out.error_count(), 0);
  const auto cost =
      test::model_of(fabric, job).cost({schedule::CollectiveKind::kAllReduce, kGibibyte});
  ASSERT_EQ(cost.algorithm, collective::Algorithm::kRing);
  const double expected = cost.latency.seconds() + 1.073741824 / (300 * 0.893 / 1.5);
  EXPECT_NEAR(all_reduce_beside(fabric, job, flows).seconds(), expected, 1e-7 * expected);
}

// Both jobs stage through host memory over a CPU link of 20 GB/s, which limits them: with the same
// weights each gets half, so the transfer takes twice its time.
TEST(Background, TwoAllReducesOverOneCpuLinkHalve) {
  test::Machine narrow = test::h200_nvl();
  narrow.between_sockets = test::mb_per_s(20'000);
  const fabric::Fabric fabric = test::bridged_quads(narrow);
  const auto job = test::gpus({0, 4});
  Diagnostics out;
  const auto flows = resolve(fabric, job, {tenant({"1", "gpu5"})}, out);
  ASSERT_EQ(out.error_count(), 0);
  const auto cost =
      test::model_of(fabric, job).cost({schedule::CollectiveKind::kAllReduce, kGibibyte});
  ASSERT_TRUE(cost.limiting_link);
  EXPECT_EQ(fabric.link(*cost.limiting_link).kind, fabric::LinkKind::kCpuInterconnect);
  const double alone = (cost.total - cost.latency).seconds();
  EXPECT_NEAR(all_reduce_beside(fabric, job, flows).seconds(), cost.latency.seconds() + 2 * alone,
              1e-7 * alone);
}

TEST(Background, PointFlowsFollowTheFabricsRoutes) {
  const fabric::Fabric fabric = test::bridged_quads(test::h200_nvl());
  Diagnostics out;
  const auto over = [&](const BackgroundChoice& choice, bool p2p) {
    std::vector<std::string> names;
    const auto flows = resolve(fabric, {}, {choice}, out, p2p);
    for (const auto& use : flows.at(0).uses) {
      EXPECT_EQ(use.occupancy_ppb, kPpb);
      names.push_back(fabric.link_name(use.link));
    }
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(over(steady("gpu0", "gpu1", 5), true), (Names{"gpu0 -> gpu1"}));
  EXPECT_EQ(over(steady("gpu0", "gpu1", 5), false), (Names{"gpu0 -> cpu0", "cpu0 -> gpu1"}));
  EXPECT_EQ(over(steady("cpu1", "gpu0", 5), true), (Names{"cpu1 -> cpu0", "cpu0 -> gpu0"}));
  EXPECT_EQ(out.error_count(), 0);
}

TEST(Background, RefusesWhatIsNotThereOrNotModelled) {
  const fabric::Fabric fabric = test::nvswitch_node(test::h200_sxm());
  const auto job = test::first_gpus(4);
  const auto refusal = [&](const BackgroundChoice& choice) {
    Diagnostics out;
    resolve(fabric, job, {choice}, out);
    EXPECT_EQ(out.all().size(), 1U);
    EXPECT_EQ(out.all().front().pointer, "/0");
    EXPECT_EQ(out.all().front().file, "x.json");
    return out.all().front().code + ": " + out.all().front().message;
  };
  EXPECT_THAT(refusal(steady("gpu0", "cpu7", 5)), HasSubstr("unknown-device: "));
  EXPECT_THAT(refusal(steady("gpu0", "nvswitch0", 5)), HasSubstr("no-path: "));
  EXPECT_THAT(refusal(tenant({"4", "9"})), HasSubstr("unknown-gpu: "));
  EXPECT_THAT(refusal(tenant({"3", "4"})), HasSubstr("not-modelled: gpu3 works for the job"));
  EXPECT_THAT(refusal(tenant({"4", "gpu4"})), HasSubstr("duplicate-gpu: "));
}

TEST(Background, TextsSayWhatRuns) {
  EXPECT_EQ(to_text(steady("gpu0", "cpu0", 5)), "steady: gpu0 -> cpu0, steady 5.000 GB/s");
  BackgroundChoice other = tenant({"4", "5"});
  EXPECT_EQ(to_text(other), "tenant: all_reduce over GPUs 4,5, 1000.00 GB one after the other");
  other.period = milliseconds(50);
  other.start = milliseconds(10);
  EXPECT_EQ(to_text(other),
            "tenant: all_reduce over GPUs 4,5, 1000.00 GB every 50.0 ms, from 10.0 ms on");
}

}  // namespace
}  // namespace heddle::run
