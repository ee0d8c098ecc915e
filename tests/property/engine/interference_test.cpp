// The invariants that must survive when collectives slow the kernels beside them.

#include <gtest/gtest.h>

#include <algorithm>

#include "sim/base/rng.h"
#include "sim/engine/simulation.h"
#include "tests/support/random_schedule.h"
#include "tests/support/result_compare.h"
#include "tests/support/seeds.h"

namespace heddle::test {
namespace {

using engine::RunResult;
using schedule::OpKind;

/// Every kernel 1 to 1 + `most` times as long beside each collective.
void slow_down(RandomCase& c, std::uint64_t seed, double most) {
  Rng rng(seed);
  c.costs.beside.clear();
  for (std::size_t i = 0; i < c.costs.collectives.size(); ++i) {
    c.costs.beside.emplace_back();
    for (const Duration alone : c.costs.kernels) {
      const double factor = 1 + most * rng.uniform();
      c.costs.beside.back().push_back(std::max(
          alone, Duration{static_cast<std::int64_t>(static_cast<double>(alone.ps) * factor)}));
    }
  }
}

RunResult run(const RandomCase& c, bool fold = true) {
  return engine::simulate(c.schedule, c.costs, {.fold = fold, .record_intervals = true});
}

TEST(InterferenceProperties, NoSlowdownChangesNothing) {
  for_each_seed([](std::uint64_t seed) {
    RandomCase c = random_case(seed);
    const RunResult without = run(c);
    slow_down(c, seed, 0);
    EXPECT_EQ(run(c).fingerprint, without.fingerprint);
  });
}

TEST(InterferenceProperties, KernelsStayBetweenTheirTwoTimes) {
  for_each_seed([](std::uint64_t seed) {
    RandomCase c = random_case(seed);
    slow_down(c, seed, 2);
    const RunResult result = run(c);
    for (const engine::RankResult& rank : result.ranks) {
      const auto& ops = c.schedule.programs[static_cast<std::size_t>(rank.program)].ops;
      for (const engine::Interval& interval : rank.intervals) {
        const schedule::Op& op = ops[interval.op];
        if (op.kind != OpKind::kCompute) continue;
        Duration slowest = c.costs.kernels[op.arg];
        for (const auto& beside : c.costs.beside) slowest = std::max(slowest, beside[op.arg]);
        const Duration took = interval.end - interval.start;
        EXPECT_GE(took, c.costs.kernels[op.arg]);
        // Each change of pace may round the end up by a picosecond.
        EXPECT_LE(took, slowest + picoseconds(2 * static_cast<std::int64_t>(ops.size())));
      }
    }
  });
}

TEST(InterferenceProperties, FoldedEqualsUnfolded) {
  for_each_seed([](std::uint64_t seed) {
    RandomCase c = random_case(seed);
    slow_down(c, seed, 2);
    const RunResult folded = run(c, true);
    const RunResult unfolded = run(c, false);
    for (const engine::RankResult& rank : unfolded.ranks) {
      const auto same =
          std::find_if(folded.ranks.begin(), folded.ranks.end(),
                       [&](const auto& other) { return other.program == rank.program; });
      ASSERT_NE(same, folded.ranks.end());
      expect_same(*same, rank);
    }
  });
}

TEST(InterferenceProperties, PartsAddUpToTheStep) {
  for_each_seed([](std::uint64_t seed) {
    RandomCase c = random_case(seed);
    slow_down(c, seed, 2);
    for (const engine::RankResult& rank : run(c).ranks) {
      for (const engine::StepAccounting& a : rank.steps) {
        EXPECT_EQ(a.compute + a.exposed_comm + a.host + a.other, a.step);
      }
    }
  });
}

}  // namespace
}  // namespace heddle::test
