#include "validator/judge/calibration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/io/import/nccl_tests.h"
#include "sim/schedule/schedule_builder.h"
#include "validator/judge/calibration_json.h"

namespace heddle::judge {
namespace {

using schedule::CollectiveKind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Calibration made() {
  HostCostValues values;
  values.product = {1e-6, 1e-12, 1e-10, 0.05, 1e6, 1e9};
  values.sweep = {2e-6, 0, 1e-10, 0.04, 1e4, 1e8};
  values.collectives[{CollectiveKind::kAllReduce, 0}] = {
      {1000, 1.1e-5}, {10'000, 2e-5}, {100'000, 1.1e-4}};
  values.turn = 5e-6;
  values.beside = 0.75;
  Calibration c;
  c.backend = "nccl";
  c.host.host = "node7";
  c.host.cpu = "a CPU";
  c.host.date = "2026-11-01T10:00:00Z";
  c.versions = {{"transport", "2.28.9"}, {"GPU", "NVIDIA H200"}};
  c.entries.push_back({2, HostCosts(values)});
  return c;
}

/// An all-reduce and a kernel within what was measured.
schedule::Schedule judged(std::int64_t message, std::int64_t swept) {
  schedule::ScheduleBuilder b(2);
  schedule::Kernel sweep;
  sweep.bytes = {swept};
  b.compute(sweep, 1, "s");
  b.collective({CollectiveKind::kAllReduce, b.world(), {message}}, 1, "r",
               schedule::StreamKind::kReduce);
  return b.finish(1);
}

TEST(Calibration, SurvivesItsFile) {
  const Calibration before = made();
  Diagnostics problems;
  const auto after = read_calibration(calibration_json(before), "c.json", problems);
  ASSERT_TRUE(after.has_value()) << format(problems.all().front());
  EXPECT_EQ(after->backend, "nccl");
  EXPECT_EQ(after->versions, before.versions);
  EXPECT_EQ(after->entry_for(4), nullptr);
  ASSERT_NE(after->entry_for(2), nullptr);
  const HostCostValues& values = after->entry_for(2)->costs.values();
  EXPECT_EQ(values.product.per_flop, 1e-12);
  EXPECT_EQ(values.sweep.most, 1e8);
  EXPECT_EQ(values.beside, 0.75);
  const auto schedule = judged(5000, 50'000);
  const auto costs = after->entry_for(2)->costs.price(schedule);
  EXPECT_NEAR(costs.kernels[0].seconds(), 2e-6 + 5e-6, 1e-11);
  EXPECT_NEAR(costs.collectives[0].total.seconds(), 1.5e-5, 1e-11);  // between 11 and 20 us
}

TEST(Calibration, RefusesForeignAndBrokenFiles) {
  for (const char* text : {"{}", "{\"schema\": \"heddle.result/1\"}",
                           "{\"schema\": \"heddle.calibration/1\"}", "no JSON"}) {
    Diagnostics problems;
    EXPECT_FALSE(read_calibration(text, "c.json", problems)) << text;
    EXPECT_TRUE(problems.has_errors()) << text;
  }
}

TEST(Calibration, IsBelievedWhereItWasMade) {
  const Calibration c = made();
  EXPECT_THAT(doubts(c, c.entries[0], judged(5000, 50'000), c.host, c.versions), IsEmpty());
}

TEST(Calibration, SaysWhatChangedSince) {
  const Calibration c = made();
  HostFacts now = c.host;
  now.date = "2026-12-15T00:00:00Z";  // 44 days
  now.host = "node8";
  const auto lines = doubts(c, c.entries[0], judged(5000, 50'000), now,
                            {{"transport", "2.30.1"}, {"GPU", "NVIDIA H200"}});
  EXPECT_THAT(lines, ElementsAre("stale: made on node7 (a CPU), this is node8 (a CPU)",
                                 "stale: transport was \"2.28.9\", is \"2.30.1\"",
                                 "stale: made 44 days ago"));
}

TEST(Calibration, SaysWhatLiesBeyondItAndWhatItKnowsAlready) {
  const Calibration c = made();
  EXPECT_THAT(doubts(c, c.entries[0], judged(1'000'000, 1'000'000'000), c.host, c.versions),
              ElementsAre("extrapolated: all_reduce beyond the sizes it was fitted to",
                          "extrapolated: sweeps beyond the sizes it was fitted to"));
  EXPECT_THAT(doubts(c, c.entries[0], judged(10'000, 50'000), c.host, c.versions),
              ElementsAre(HasSubstr("not disjoint: all_reduce of 10.0 kB was measured")));
}

/// What it writes for nccl-tests' readers is read by ours: 10 kB in 20 us are 0.5 GB/s.
TEST(Calibration, WritesWhatReadersOfNcclTestsRead) {
  Diagnostics problems;
  const auto read = io::read_nccl_tests(nccl_tests_text(made()), "sweep.txt", problems);
  ASSERT_TRUE(read.has_value()) << format(problems.all().front());
  ASSERT_EQ(read->sweeps.size(), 1U);
  const io::NcclTestsSweep& sweep = read->sweeps[0];
  EXPECT_EQ(sweep.collective, "all_reduce");
  EXPECT_EQ(sweep.ranks, 2);
  ASSERT_EQ(sweep.rows.size(), 3U);
  EXPECT_EQ(sweep.rows[1].bytes, 10'000);
  EXPECT_EQ(sweep.rows[1].out_of_place.time_us, 20.0);
  EXPECT_EQ(sweep.rows[1].out_of_place.algbw, 0.5);
}

TEST(Calibration, ProbesOtherShapesThanItNames) {
  for (const bool on_gpu : {false, true}) {
    const schedule::Schedule s = calibration_schedule(4, on_gpu);
    EXPECT_EQ(s.rank_count(), 4);
    EXPECT_GE(s.kernels.size(), 12U);
    EXPECT_EQ(s.collectives.size(), 6U);
  }
}

}  // namespace
}  // namespace heddle::judge
