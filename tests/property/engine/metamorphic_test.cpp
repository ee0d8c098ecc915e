// Changes to a scenario whose effect is known exactly.

#include <gtest/gtest.h>

#include <algorithm>

#include "sim/engine/simulation.h"
#include "tests/support/random_schedule.h"
#include "tests/support/result_compare.h"
#include "tests/support/seeds.h"

namespace heddle::test {
namespace {

using engine::RunResult;
using schedule::OpKind;

RunResult run(const RandomCase& c) {
  return engine::simulate(c.schedule, c.costs, {});
}

// Everything twice as slow takes twice as long, up to the rounding of rates to whole bytes per
// second (relative 1e-9 each).
TEST(Metamorphic, TimeScaling) {
  for_each_seed([](std::uint64_t seed) {
    RandomCase slow = random_case(seed);
    for (Bandwidth& b : slow.costs.links) b.bytes_per_second /= 2;
    for (Duration& d : slow.costs.kernels) d = d * 2;
    for (auto& cost : slow.costs.collectives) {
      cost.latency = cost.latency * 2;
      cost.rate_cap.bytes_per_second /= 2;
    }
    slow.costs.launch_latency = slow.costs.launch_latency * 2;
    slow.costs.host = {slow.costs.host.per_dispatch * 2, slow.costs.host.per_collective * 2};
    const double expected = 2 * last_end(run(random_case(seed))).seconds();
    EXPECT_NEAR(last_end(run(slow)).seconds(), expected, 1e-6 * expected);
  });
}

/// The case without its other ops: each of two ranks issues collective `id`, nothing else.
RandomCase lone_collective(std::uint64_t seed, std::uint32_t id) {
  RandomCase c = random_case(seed);
  const schedule::Op op{OpKind::kCollective, schedule::StreamKind::kReduce, 1, id, {}};
  c.schedule.programs = {{{op}}};
  c.schedule.program_of_rank = {0, 0};
  for (schedule::Communicator& communicator : c.schedule.communicators) {
    communicator.groups = {{0, 1}};
  }
  return c;
}

TEST(Metamorphic, LoneCollectiveTakesItsClosedForm) {
  for_each_seed([](std::uint64_t seed) {
    const std::size_t count = random_case(seed).costs.collectives.size();
    for (std::uint32_t id = 0; id < count; ++id) {
      const RandomCase c = lone_collective(seed, id);
      const engine::Interval life = run(c).ranks.at(0).intervals.at(0);
      const collective::CollectiveCost& cost = c.costs.collectives[id];
      const Duration expected = cost.payload.value == 0 ? Duration{0} : cost.total;
      EXPECT_EQ(life.end - life.start, expected);
    }
  });
}

// Without latency, at doubled bandwidth, a lone collective takes half the time (rounded up).
TEST(Metamorphic, BandwidthDoubling) {
  for_each_seed([](std::uint64_t seed) {
    RandomCase c = lone_collective(seed, 0);
    c.costs.collectives[0].latency = Duration{0};
    const engine::Interval before = run(c).ranks.at(0).intervals.at(0);
    for (Bandwidth& b : c.costs.links) b.bytes_per_second *= 2;
    c.costs.collectives[0].rate_cap.bytes_per_second *= 2;
    const engine::Interval after = run(c).ranks.at(0).intervals.at(0);
    const double expected = (before.end - before.start).seconds() / 2;
    EXPECT_NEAR((after.end - after.start).seconds(), expected, 1e-12 + expected * 1e-8);
  });
}

/// Links, programs, ranks and communicators numbered from the other end.
RandomCase renumbered(RandomCase c) {
  schedule::Schedule& s = c.schedule;
  const auto last_rank = s.rank_count() - 1;
  const auto last_program = static_cast<int>(s.programs.size()) - 1;
  std::reverse(s.programs.begin(), s.programs.end());
  std::reverse(s.program_of_rank.begin(), s.program_of_rank.end());
  for (int& p : s.program_of_rank) p = last_program - p;
  std::reverse(s.communicators.begin(), s.communicators.end());
  for (schedule::Communicator& communicator : s.communicators) {
    for (int& r : communicator.groups.front()) r = last_rank - r;
  }
  for (schedule::Collective& collective : s.collectives) {
    collective.communicator.value =
        static_cast<std::uint32_t>(s.communicators.size()) - 1 - collective.communicator.value;
  }
  std::reverse(c.costs.links.begin(), c.costs.links.end());
  for (auto& uses : c.uses) {
    for (auto& use : uses) {
      use.link = fabric::LinkId{c.costs.links.size() - 1 - use.link.index()};
    }
    std::reverse(uses.begin(), uses.end());
  }
  refresh_costs(c);
  return c;
}

TEST(Metamorphic, Relabelling) {
  for_each_seed([](std::uint64_t seed) {
    const RunResult before = run(random_case(seed));
    const RunResult after = run(renumbered(random_case(seed)));
    ASSERT_EQ(before.ranks.size(), after.ranks.size());
    for (std::size_t r = 0; r < before.ranks.size(); ++r) {
      expect_same(before.ranks[r], after.ranks[after.ranks.size() - 1 - r]);
    }
  });
}

// A limit that is never met changes nothing; a tight one delays hosts, and everything still ends.
TEST(Metamorphic, LaunchesThatMayWait) {
  for_each_seed([](std::uint64_t seed) {
    const RunResult free = run(random_case(seed));
    RandomCase limited = random_case(seed);
    limited.costs.host.run_ahead = std::int64_t{1} << 30;
    EXPECT_EQ(run(limited).fingerprint, free.fingerprint);
    for (const std::int64_t limit : {1, 2, 5}) {
      limited.costs.host.run_ahead = limit;
      const RunResult tight = run(limited);
      ASSERT_EQ(tight.ranks.size(), free.ranks.size());
      EXPECT_EQ(tight.events, free.events);
    }
  });
}

// A link replaced by two in series with its capacity.
TEST(Metamorphic, SeriesSplit) {
  for_each_seed([](std::uint64_t seed) {
    RandomCase split = random_case(seed);
    const std::size_t links = split.costs.links.size();
    for (std::size_t l = 0; l < links; ++l) split.costs.links.push_back(split.costs.links[l]);
    for (auto& uses : split.uses) {
      const auto firsts = uses;
      for (auto use : firsts) {
        use.link = fabric::LinkId{use.link.index() + links};
        uses.push_back(use);
      }
    }
    refresh_costs(split);
    const RunResult before = run(random_case(seed));
    const RunResult after = run(split);
    for (std::size_t r = 0; r < before.ranks.size(); ++r) {
      expect_same(before.ranks[r], after.ranks.at(r));
    }
  });
}

// Every host does something else for a while first.
TEST(Metamorphic, TimeShift) {
  for_each_seed([](std::uint64_t seed) {
    RandomCase late = random_case(seed);
    constexpr std::uint16_t kDispatches = 1000;
    for (schedule::Program& p : late.schedule.programs) {
      p.ops.insert(p.ops.begin(), schedule::Op{OpKind::kHostWork, {}, kDispatches, 0, {}});
    }
    const Duration shift = late.costs.host.per_dispatch * kDispatches;
    const RunResult before = run(random_case(seed));
    const RunResult after = run(late);
    for (std::size_t r = 0; r < before.ranks.size(); ++r) {
      expect_same(before.ranks[r], after.ranks.at(r), shift, 1);
    }
  });
}

}  // namespace
}  // namespace heddle::test
