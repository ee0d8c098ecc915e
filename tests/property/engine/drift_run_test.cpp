// A step of ranks that drift apart, rows of ranks against one rank and one send at a time.

#include "sim/engine/drift_run.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/event_grid.h"
#include "tests/support/step_workloads.h"

namespace heddle::test {
namespace {

using engine::DriftGraph;
using engine::DriftResult;

/// The whole graph with nothing shared but its definition.
DriftResult plainly(const DriftGraph& graph, const std::vector<collective::GridDimension>& grid,
                    std::size_t ranks, const engine::DurationsByRank& durations) {
  std::vector<std::vector<double>> ends(graph.size(), std::vector<double>(ranks));
  for (std::uint32_t n = 0; n < graph.size(); ++n) {
    std::vector<double> row(ranks, static_cast<double>(graph[n].duration.ps));
    durations(n, row);
    std::vector<double> start(ranks, 0);
    for (std::uint32_t b = 0; b < n; ++b) {
      const auto& after = graph[n].after;
      const bool waits = graph[b].is_collective == graph[n].is_collective ||
                         std::find(after.begin(), after.end(), b) != after.end();
      for (std::size_t r = 0; waits && r < ranks; ++r) start[r] = std::max(start[r], ends[b][r]);
    }
    if (graph[n].is_collective) {
      ends[n] = event_by_event(grid, {}, graph[n].kind, graph[n].payload, start);
    } else {
      for (std::size_t r = 0; r < ranks; ++r) ends[n][r] = start[r] + row[r];
    }
  }
  std::vector<double> all(ranks, 0);
  for (const auto& row : ends) {
    for (std::size_t r = 0; r < ranks; ++r) all[r] = std::max(all[r], row[r]);
  }
  const auto [first, last] = std::minmax_element(all.begin(), all.end());
  return {{static_cast<std::int64_t>(*last)}, {static_cast<std::int64_t>(*first)}, 0};
}

void expect_same(const DriftGraph& graph, std::size_t ranks) {
  const std::vector<collective::GridDimension> levels = {
      {8, {400'000'000'000}, nanoseconds(500)}, {ranks / 8, {50'000'000'000}, nanoseconds(2000)}};
  collective::Grid grid(levels);
  const engine::DurationsByRank durations = drift(graph);
  const DriftResult rows = engine::run_drifting(graph, grid, durations);
  const DriftResult plain = plainly(graph, levels, ranks, durations);
  EXPECT_EQ(rows.step, plain.step);
  EXPECT_EQ(rows.first, plain.first);
}

TEST(DriftRun, RowsOfRanksEqualRanksOneByOne) {
  expect_same(ddp_graph(), 24);
  expect_same(fsdp_graph(), 24);
}

// 8 ranks on one level: 14 steps of 52 MiB at 400 GB/s, 136.314880 us, and 0.5 us: 1.915408320 ms.
// Less than the 4 ms of a backward, so only the last one shows: 64 + 128 + 1.915... + 1 ms.
TEST(DriftRun, RanksInStepTakeTheClosedForm) {
  collective::Grid grid = one_level(8);
  const DriftResult result = engine::run_drifting(ddp_graph(), grid);
  EXPECT_EQ(result.step.ps, 194'915'408'320);
  EXPECT_EQ(result.first, result.step);
  EXPECT_EQ(result.sends, 3'584U);
}

// The same count of sends as is measured of others: two levels, 64 and 512 ranks.
TEST(DriftRun, CountsTheSendsOfTwoLevels) {
  collective::Grid small = two_levels(64);
  EXPECT_EQ(engine::run_drifting(ddp_graph(), small).sends, 57'344U);
  collective::Grid large = two_levels(512);
  EXPECT_EQ(engine::run_drifting(fsdp_graph(), large).sends, 3'440'640U);
}

}  // namespace
}  // namespace heddle::test
