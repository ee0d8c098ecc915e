#include "tests/support/step_workloads.h"

#include <cmath>
#include <utility>

namespace heddle::test {
namespace {

using engine::DriftGraph;
using engine::DriftNode;
using schedule::CollectiveKind;

constexpr int kLayers = 32;
constexpr Bytes kLayer{416 << 20};
constexpr double kMicrosecond = 1e6;  // ps

std::uint32_t add(DriftGraph& graph, DriftNode node) {
  graph.push_back(std::move(node));
  return static_cast<std::uint32_t>(graph.size() - 1);
}

std::uint32_t add_kernel(DriftGraph& graph, std::int64_t us, std::vector<std::uint32_t> after) {
  return add(graph, {false, {}, {}, microseconds(us), std::move(after)});
}

std::uint32_t add_collective(DriftGraph& graph, CollectiveKind kind,
                             std::vector<std::uint32_t> after) {
  return add(graph, {true, kind, kLayer, {}, std::move(after)});
}

/// The generator of the uneven all-to-all, started at rank and node.
double drift_factor(std::uint64_t rank, std::uint64_t node) {
  std::uint64_t state = (rank << 32 | node) + 1;
  for (int i = 0; i < 2; ++i) state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return 0.95 + 0.1 * static_cast<double>(state >> 11) / 9007199254740992.0;
}

}  // namespace

DriftGraph ddp_graph() {
  DriftGraph graph;
  for (int i = 0; i < kLayers; ++i) add_kernel(graph, 2000, {});
  std::uint32_t reduced = 0;
  for (int i = 0; i < kLayers; ++i) {
    const std::uint32_t backward = add_kernel(graph, 4000, {});
    reduced = add_collective(graph, CollectiveKind::kAllReduce, {backward});
  }
  add_kernel(graph, 1000, {reduced});
  return graph;
}

/// All-gather i waits for the kernel two before the one it is for.
DriftGraph fsdp_graph() {
  DriftGraph graph;
  std::vector<std::uint32_t> kernels;
  std::uint32_t scattered = 0;
  for (int i = 0; i < 2 * kLayers; ++i) {
    const bool backward = i >= kLayers;
    std::vector<std::uint32_t> after;
    if (kernels.size() >= 2) after.push_back(kernels[kernels.size() - 2]);
    const std::uint32_t gathered = add_collective(graph, CollectiveKind::kAllGather, after);
    kernels.push_back(add_kernel(graph, backward ? 4000 : 2000, {gathered}));
    if (backward)
      scattered = add_collective(graph, CollectiveKind::kReduceScatter, {kernels.back()});
  }
  add_kernel(graph, 1000, {scattered});
  return graph;
}

collective::Grid one_level(std::size_t ranks) {
  return collective::Grid({{ranks, {400'000'000'000}, nanoseconds(500)}});
}

collective::Grid two_levels(std::size_t ranks) {
  return collective::Grid(
      {{8, {400'000'000'000}, nanoseconds(500)}, {ranks / 8, {50'000'000'000}, nanoseconds(2000)}});
}

engine::DurationsByRank drift(const DriftGraph& graph) {
  return [&graph](std::uint32_t node, std::span<double> durations) {
    const auto alone = static_cast<double>(graph[node].duration.ps);
    for (std::size_t r = 0; r < durations.size(); ++r) {
      const double scaled = alone * drift_factor(r, node);
      durations[r] = std::floor(scaled / kMicrosecond) * kMicrosecond;
    }
  };
}

}  // namespace heddle::test
