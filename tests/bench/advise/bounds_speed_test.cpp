// Bounds per second on one core: a hundred thousand, so that millions of candidates take seconds.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/property/advise/jobs.h"
#include "tests/support/cpu_time.h"

namespace heddle::advise {
namespace {

TEST(BoundsSpeed, EvaluatesAHundredThousandCandidatesPerSecond) {
  if (!test::kMeasures) GTEST_SKIP() << "speed is measured in the release preset only";
  const Opened job(jobs().front());
  const Space& space = job.space();
  constexpr std::size_t kEvaluations = 1'000'000;
  std::int64_t least = INT64_MAX;
  const double start = test::cpu_milliseconds();
  for (std::size_t i = 0; i < kEvaluations; ++i) {
    const Candidate candidate{i % space.places.size(), i % space.strategies.size(),
                              i % space.batches.size()};
    if (!job.bounds().refusal(candidate.strategy).empty()) continue;
    const Bound bound = job.bounds().of(candidate);
    if (job.bounds().may_fit(candidate, bound)) least = std::min(least, bound.step().ps);
  }
  const double rate = 1e3 * kEvaluations / (test::cpu_milliseconds() - start);
  EXPECT_LT(least, INT64_MAX);
  RecordProperty("bounds_per_second", static_cast<int>(rate));
  fmt::print("{:.1f} M bounds/s per core\n", rate * 1e-6);
  EXPECT_GT(rate, 100'000);
}

}  // namespace
}  // namespace heddle::advise
