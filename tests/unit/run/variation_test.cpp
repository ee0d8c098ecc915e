// Draws against closed forms: what is not drawn changes nothing, the slowest of many GPUs, one draw
// per machine, and variances that add up.

#include "sim/run/variation/vary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sim/engine/simulation.h"
#include "sim/run/variation/normal.h"
#include "sim/run/variation/rank_noise.h"
#include "sim/run/variation/statistics.h"
#include "sim/run/variation/step_model.h"
#include "sim/schedule/schedule_builder.h"
#include "tests/unit/run/small_study.h"

namespace heddle::run {
namespace {

using ::testing::Each;

VariationChoice nothing() {
  return {false, 0, 0, 0, 0, 0.83, 0.5, 0};
}

std::vector<CaseResult> varied(const VariationChoice& choice, int draws, std::uint64_t seed = 0) {
  Scenario scenario = small_scenario();
  scenario.variation = choice;
  scenario.seed = seed;
  Diagnostics out;
  const auto study = study_of(scenario, out);
  std::vector<CaseResult> results;
  for (const CaseId& id : study->cases()) results.push_back(study->run(id, false));
  vary(*study, study->cases(), draws, results);
  return results;
}

TEST(Normal, QuantileIsTheInverseOfTheDistribution) {
  EXPECT_EQ(normal_quantile(0.5), 0);
  for (const double p : {1e-300, 1e-9, 0.001, 0.05, 0.3, 0.7, 0.99, 1 - 1e-9}) {
    const double back = 0.5 * std::erfc(-normal_quantile(p) / std::sqrt(2.0));
    EXPECT_NEAR(back / p, 1, 1e-12) << p;
  }
}

TEST(Statistics, QuantilesAreLinearBetweenValues) {
  const Quantiles q = quantiles_of({5, 1, 4, 2, 3});
  EXPECT_DOUBLE_EQ(q.p10, 1.4);
  EXPECT_DOUBLE_EQ(q.p50, 3);
  EXPECT_DOUBLE_EQ(q.p90, 4.6);
  EXPECT_DOUBLE_EQ(variance_of(std::vector<double>{1, 2, 3, 4, 5}), 2);
}

TEST(Variation, ZeroSigmaIsThePrediction) {
  for (const CaseResult& r : varied(nothing(), 5)) {
    EXPECT_THAT(r.variation->steps, Each(std::exp(std::log(r.step_time.seconds()))));
    EXPECT_DOUBLE_EQ(r.variation->step.p50, r.step_time.seconds());
    EXPECT_EQ(r.variation->spread, 0);
    EXPECT_TRUE(r.variation->causes.empty());
  }
}

TEST(Variation, ADrawDependsOnSeedAndNumberOnly) {
  const auto few = varied({}, 7);
  const auto many = varied({}, 20);
  for (std::size_t c = 0; c < few.size(); ++c) {
    for (std::size_t i = 0; i < 7; ++i) {
      EXPECT_EQ(few[c].variation->steps[i], many[c].variation->steps[i]);
    }
  }
  EXPECT_NE(varied({}, 7, 1)[0].variation->steps, few[0].variation->steps);
}

/// A step of one large product per GPU and nothing else, the host far ahead.
struct ComputeOnly {
  explicit ComputeOnly(int ranks)
      : fabric(test::nvswitch_node(test::h200_sxm())), gpu(small_gpu()) {
    schedule::ScheduleBuilder b(ranks);
    b.mark(schedule::Mark::Kind::kStepBegin, 0);
    schedule::Kernel product;
    product.kind = schedule::KernelKind::kGemm;
    product.m = product.n = product.k = 16384;
    product.flops = {2.0 * 16384 * 16384 * 16384};
    b.compute(product, 0, "product");
    b.mark(schedule::Mark::Kind::kStepEnd, 0);
    schedule = b.finish(1);
    gpu.launch_latency = {};
  }

  engine::Platform platform() const { return {fabric, gpu, {{no_wire}}, {}, {}, {}}; }

  fabric::Fabric fabric;
  model::GpuModel gpu;
  collective::CollectiveModel no_wire = test::model_of(fabric, {fabric.gpus()[0]});
  schedule::Schedule schedule;
};

// Blom's approximation of the expected largest of n normals, Phi^-1((n - 0.375) / (n + 0.25)), is
// good to 1 %; sqrt(2 ln n) is its well-known bound.
TEST(Variation, AStepTakesAsLongAsTheSlowestOfItsGpus) {
  constexpr double kSigma = 0.02;
  VariationChoice choice = nothing();
  choice.kernel_noise = kSigma;
  for (const int ranks : {16, 256, 4096}) {
    const ComputeOnly job(ranks);
    const engine::Platform platform = job.platform();
    StepModel model(job.schedule, platform);
    double mean = 0;
    constexpr int kDraws = 200;
    for (int draw = 0; draw < kDraws; ++draw) {
      const double slowest = slowest_of(choice, ranks, {}, {1, draw}, "m", "j").all;
      mean += (model.log_step(model.nominal(), slowest) - model.log_step()) / kDraws;
    }
    const double blom = kSigma * normal_quantile((ranks - 0.375) / (ranks + 0.25));
    EXPECT_NEAR(mean, blom, 0.05 * blom) << ranks;
    const double bound = kSigma * std::sqrt(2 * std::log(ranks));
    EXPECT_LT(mean, bound) << ranks;
    EXPECT_GT(mean, 0.7 * bound) << ranks;
  }
}

// Every rank its own slowdown, and all of them that of the slowest: the same step.
TEST(Variation, OneClassAsSlowAsTheSlowestIsExact) {
  const auto fabric = test::nvswitch_node(test::h200_sxm());
  Diagnostics out;
  const auto study = study_of(small_scenario(), out);
  for (const CaseId& id : study->cases()) {
    const CaseResult result = study->run(id, false);
    engine::Platform platform = study->platform(id);
    const double together =
        StepModel(*result.schedule, platform).log_step({platform.gpu, platform.host}, 1 / 0.8);
    platform.speeds = {970'000'000, kPpb, 800'000'000, 930'000'000};
    const StepModel each(*result.schedule, platform);
    EXPECT_NEAR(each.log_step(), together, 1e-6) << id.id;
  }
}

// ln step = -ln efficiency + ln slowdown + model: sigmas 8 %, 2 % of one GPU and 3 % add as
// squares.
TEST(Variation, VariancesOfAComputeOnlyStepAdd) {
  const ComputeOnly job(1);
  const engine::Platform platform = job.platform();
  const StepModel model(job.schedule, platform);
  std::vector<double> logs;
  for (int draw = 0; draw < 4000; ++draw) {
    Rng rng(stream_of({3, draw}, "test", ""));
    Perturbed values = model.nominal();
    values.gpu.gemm_efficiency *= std::exp(0.08 * normal(rng));
    VariationChoice choice = nothing();
    choice.kernel_noise = 0.02;
    const double slowest = slowest_of(choice, 1, {}, {3, draw}, "m", "j").all;
    logs.push_back(model.log_step(values, slowest) + 0.03 * normal(rng));
  }
  const double expected = std::sqrt(0.08 * 0.08 + 0.02 * 0.02 + 0.03 * 0.03);
  EXPECT_NEAR(std::sqrt(variance_of(logs)), expected, 0.03 * expected);
}

TEST(Variation, SharesAndWhatMeetsAddUpToOne) {
  for (const CaseResult& r : varied({}, 400)) {
    const Variation& v = *r.variation;
    double sum = v.together;
    for (const VariationCause& cause : v.causes) {
      EXPECT_GT(cause.share, 0) << cause.name;
      sum += cause.share;
    }
    EXPECT_NEAR(sum, 1, 1e-12);
    EXPECT_LT(std::abs(v.together), 0.25) << r.case_id;  // 400 draws: the variance itself to 7 %
    EXPECT_LT(v.step.p10, v.step.p50);
    EXPECT_LT(v.step.p50, v.step.p90);
  }
}

// The model's own error alone: ln step is normal with its sigma, and P90 - P10 is 2.563 of them.
TEST(Variation, ModelFormIsAFloor) {
  VariationChoice choice = nothing();
  choice.model_form = 0.03;
  const Variation v = *varied(choice, 2000)[0].variation;
  EXPECT_NEAR(v.spread, 0.03, 0.002);
  EXPECT_NEAR(std::log(v.step.p90 / v.step.p10), 2.563 * 0.03, 0.005);
  ASSERT_EQ(v.causes.size(), 1U);
  EXPECT_EQ(v.causes[0].name, "model form");
  EXPECT_NEAR(v.causes[0].share, 1, 0.1);
}

/// Standard deviation of a sum of four equal exposed all-reduces whose rates vary by 10 %.
double spread_of_wire(bool one_draw) {
  double sum = 0;
  double squares = 0;
  constexpr int kDraws = 2000;
  for (int draw = 0; draw < kDraws; ++draw) {
    double step = 0;
    for (int collective = 0; collective < 4; ++collective) {
      const std::string scope = one_draw ? "machine" : std::to_string(collective);
      Rng rng(stream_of({5, draw}, "NVLink rings", scope));
      step += std::exp(-0.1 * normal(rng)) / 4;
    }
    sum += step / kDraws;
    squares += step * step / kDraws;
  }
  return std::sqrt(squares - sum * sum);
}

// One efficiency per machine, not per collective: four independent draws would average to half.
TEST(Variation, CorrelatedDrawsAreWider) {
  EXPECT_NEAR(spread_of_wire(true), 0.1, 0.01);
  EXPECT_NEAR(spread_of_wire(false), 0.05, 0.005);
}

/// What the collectives of a small plan cost at `ring` times the ring efficiency.
PerturbedCosts at_ring_rate(const Study& study, const CaseResult& result, double ring,
                            std::vector<engine::BackgroundFlow> background) {
  engine::Platform platform = study.platform(study.cases().front());
  platform.background = std::move(background);
  Perturbed values{platform.gpu, platform.host};
  values.rates[static_cast<std::size_t>(Wire::kNvlinkRing)] = ring;
  return price(*result.schedule, platform, values);
}

// A slower ring slows all collectives of its kind alike, and its links are busy for longer.
TEST(Variation, AWireFactorScalesEveryCollective) {
  Diagnostics out;
  const auto study = study_of(small_scenario(), out);
  const CaseResult result = study->run(study->cases().front(), false);
  const std::vector<engine::BackgroundFlow> others(1);
  const PerturbedCosts before = at_ring_rate(*study, result, 1, others);
  const PerturbedCosts after = at_ring_rate(*study, result, 0.5, others);
  ASSERT_FALSE(before.costs.collectives.empty());
  for (std::size_t c = 0; c < before.costs.collectives.size(); ++c) {
    const collective::CollectiveCost& was = before.costs.collectives[c];
    const collective::CollectiveCost& is = after.costs.collectives[c];
    EXPECT_NEAR((is.total - is.latency).seconds(), 2 * (was.total - was.latency).seconds(), 1e-9);
    ASSERT_FALSE(was.uses.empty());
    EXPECT_EQ(is.uses[0].occupancy_ppb, 2 * was.uses[0].occupancy_ppb);
    EXPECT_EQ(is.uses[0].bytes_ppb, was.uses[0].bytes_ppb);
  }
  EXPECT_EQ(after.costs.kernels, before.costs.kernels);
}

// With the links to itself a collective needs none of them: its lone rate is the same number.
TEST(Variation, AloneItDoesWithoutLinks) {
  Diagnostics out;
  const auto study = study_of(small_scenario(), out);
  for (const CaseId& id : study->cases()) {
    const CaseResult result = study->run(id, false);
    engine::CostTable with = engine::price(*result.schedule, study->platform(id));
    engine::CostTable without = with;
    for (collective::CollectiveCost& cost : without.collectives) cost.uses = {};
    without.links.clear();
    EXPECT_EQ(engine::simulate(*result.schedule, with, {}).ranks[0].steps.back().step,
              engine::simulate(*result.schedule, without, {}).ranks[0].steps.back().step);
  }
}

TEST(Variation, SomeCaseIsFastestInEveryDraw) {
  const auto results = varied({}, 50);
  EXPECT_NEAR(results[0].variation->fastest + results[1].variation->fastest, 1, 1e-12);
}

}  // namespace
}  // namespace heddle::run
