// Pruning never drops what belongs to the answer: every candidate of small jobs is simulated, and
// no bound lies above its result.

#include <algorithm>
#include <map>

#include "tests/property/advise/jobs.h"

namespace heddle::advise {
namespace {

struct Outcome {
  Candidate candidate;
  Duration step;
  Bytes needed;
  bool fits = false;
};

/// Every candidate that is modelled, simulated.
std::vector<Outcome> run_all(const Opened& job) {
  std::vector<Outcome> outcomes;
  const Space& space = job.space();
  for (std::size_t s = 0; s < space.strategies.size(); ++s) {
    for (std::size_t p = 0; p < space.places.size(); ++p) {
      for (std::size_t b = 0; b < space.batches.size(); ++b) {
        std::string refusal;
        const auto result = job.runner().run(Candidate{p, s, b}, refusal);
        if (!result) continue;
        EXPECT_EQ(job.bounds().refusal(s), "") << space.strategies[s].id;
        outcomes.push_back(
            {{p, s, b}, result->step_time, result->memory.needed(), result->memory.fits()});
      }
    }
  }
  return outcomes;
}

class Pruning : public testing::TestWithParam<Job> {};

std::vector<double> best_values(const std::vector<Outcome>& outcomes, Objective objective,
                                std::size_t top) {
  std::map<std::pair<std::size_t, std::size_t>, double> at_best_place;
  for (const Outcome& o : outcomes) {
    if (!o.fits) continue;
    const double value =
        objective == Objective::kTime ? o.step.seconds() : static_cast<double>(o.needed.value);
    const auto known =
        at_best_place.try_emplace({o.candidate.strategy, o.candidate.batch}, value).first;
    known->second = std::min(known->second, value);
  }
  std::vector<double> values;
  for (const auto& [which, value] : at_best_place) values.push_back(value);
  std::sort(values.begin(), values.end());
  values.resize(std::min(values.size(), top));
  return values;
}

TEST_P(Pruning, FindsWhatRunningEveryCandidateFinds) {
  const Opened job(GetParam());
  const bool job_prunes = GetParam().prunes;
  const std::vector<Outcome> outcomes = run_all(job);
  ASSERT_GT(outcomes.size(), 30U);
  for (const Outcome& o : outcomes) {
    const Bound bound = job.bounds().of(o.candidate);
    const BatchChoice& batch = job.space().batches[o.candidate.batch];
    const std::string what = job.space().strategies[o.candidate.strategy].id + " " +
                             std::to_string(batch.micro_batch) + "x" +
                             std::to_string(batch.accumulation) + " checkpointing " +
                             std::to_string(static_cast<int>(batch.checkpointing)) + " place " +
                             std::to_string(o.candidate.place);
    EXPECT_LE(bound.kernels.ps, o.step.ps) << what;
    EXPECT_LE(bound.host.ps, o.step.ps) << what;
    EXPECT_LE(bound.wires.ps, o.step.ps) << what;
    EXPECT_LE(bound.needed.value, o.needed.value) << what;
    EXPECT_TRUE(job.bounds().may_fit(o.candidate, bound) || !o.fits) << what;
  }
  for (const Objective objective : {Objective::kTime, Objective::kMemory}) {
    constexpr std::size_t kTop = 3;
    const Advice advice = search(job.space(), job.bounds(), job.runner(), {objective, kTop, true});
    std::vector<double> values;
    for (const Finalist& f : advice.best) values.push_back(f.value);
    EXPECT_EQ(values, best_values(outcomes, objective, kTop));
    const Tally& t = advice.tally;
    EXPECT_EQ(t.refused + t.bound_memory + t.bound_kernels + t.bound_host + t.bound_wires +
                  t.bound_value + t.simulated,
              job.space().size());
    EXPECT_TRUE(!job_prunes || t.simulated < outcomes.size());
  }
}

INSTANTIATE_TEST_SUITE_P(Jobs, Pruning, testing::ValuesIn(jobs()),
                         [](const auto& job) { return job.param.name; });

TEST(Pruning, KeepsTheGlobalBatch) {
  const Opened job(jobs().front());
  for (const BatchChoice& batch : job.space().batches) {
    EXPECT_EQ(batch.micro_batch * batch.accumulation, 4);
  }
  EXPECT_EQ(job.space().batches.size(), 3U * 3U);  // 1x4, 2x2, 4x1, each with three checkpointings
}

TEST(Regret, IsWhatTheWorstPairOfErrorsCosts) {
  EXPECT_DOUBLE_EQ(regret(1.0, 1.0, 0.0), 0.0);
  EXPECT_NEAR(regret(1.0, 1.0, 0.03), 1.03 / 0.97 - 1, 1e-12);
  EXPECT_DOUBLE_EQ(regret(1.0, 2.0, 0.03), 0.0);
}

}  // namespace
}  // namespace heddle::advise
