// How long a run can be at least and at most.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "sim/base/int128.h"
#include "sim/engine/simulation.h"
#include "tests/support/random_schedule.h"
#include "tests/support/result_compare.h"
#include "tests/support/seeds.h"

namespace heddle::test {
namespace {

using schedule::OpKind;

Duration alone(const RandomCase& c, std::uint32_t collective) {
  const auto communicator = c.schedule.collectives[collective].communicator.index();
  const bool single = c.schedule.communicators[communicator].size() < 2;
  const collective::CollectiveCost& cost = c.costs.collectives[collective];
  return single || cost.payload.value == 0 ? Duration{0} : cost.total;
}

/// Device time of an op by itself.
Duration alone(const RandomCase& c, const schedule::Op& op) {
  if (op.kind == OpKind::kCompute) return c.costs.kernels[op.arg];
  if (op.kind == OpKind::kCollective) return alone(c, op.arg);
  return {};
}

TEST(Bounds, NoShorterThanAnyStreamOrHost) {
  for_each_seed([](std::uint64_t seed) {
    const RandomCase c = random_case(seed);
    const engine::RunResult result = engine::simulate(c.schedule, c.costs, {});
    for (const engine::RankResult& rank : result.ranks) {
      std::array<Duration, schedule::kStreamCount> busy{};
      Duration host;
      for (const auto& op : c.schedule.programs[static_cast<std::size_t>(rank.program)].ops) {
        busy[static_cast<std::size_t>(op.stream)] += alone(c, op);
        host += c.costs.host.per_dispatch * op.dispatches;
        if (op.kind == OpKind::kCollective) host += c.costs.host.per_collective;
      }
      for (const Duration d : busy) EXPECT_GE(last_end(result), SimTime{} + d);
      EXPECT_GE(rank.marks.back(), SimTime{} + host);
    }
  });
}

// A link needs its bytes' time; counted in the program of each communicator's first rank.
TEST(Bounds, NoShorterThanAnyLink) {
  for_each_seed([](std::uint64_t seed) {
    const RandomCase c = random_case(seed);
    std::vector<Int128> ppb(c.costs.links.size(), 0);
    for (std::size_t p = 0; p < c.schedule.programs.size(); ++p) {
      for (const schedule::Op& op : c.schedule.programs[p].ops) {
        if (op.kind != OpKind::kCollective || alone(c, op.arg) == Duration{0}) continue;
        const auto id = c.schedule.collectives[op.arg].communicator.index();
        const int first = c.schedule.communicators[id].groups.front().front();
        if (c.schedule.program_of_rank[static_cast<std::size_t>(first)] != static_cast<int>(p)) {
          continue;
        }
        const Int128 payload = c.costs.collectives[op.arg].payload.value;
        for (const auto& use : c.uses[op.arg]) {
          ppb[use.link.index()] += payload * use.occupancy_ppb;
        }
      }
    }
    const SimTime end = last_end(engine::simulate(c.schedule, c.costs, {}));
    for (std::size_t l = 0; l < ppb.size(); ++l) {
      const Bytes bytes{static_cast<std::int64_t>(ppb[l] / kPpb)};
      EXPECT_GE(end, SimTime{} + bytes / c.costs.links[l]);
    }
  });
}

// At any moment a host works, an op is on its way to the GPU, or something runs; and transfers
// that share links together get as much done as one of them alone.
TEST(Bounds, NoLongerThanEverythingOneAfterTheOther) {
  for_each_seed([](std::uint64_t seed) {
    const RandomCase c = random_case(seed);
    Duration sum;
    for (const schedule::Program& p : c.schedule.programs) {
      for (const schedule::Op& op : p.ops) {
        sum += c.costs.host.per_dispatch * op.dispatches + alone(c, op) + c.costs.launch_latency;
        if (op.kind == OpKind::kCollective) sum += c.costs.host.per_collective;
      }
    }
    const double end = last_end(engine::simulate(c.schedule, c.costs, {})).seconds();
    EXPECT_LE(end, sum.seconds() * (1 + 1e-8));  // rates are rounded down to bytes per second
  });
}

}  // namespace
}  // namespace heddle::test
