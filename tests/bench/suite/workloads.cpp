#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "sim/io/file.h"
#include "tests/bench/suite/queued_links.h"
#include "tests/bench/suite/workload.h"
#include "tests/support/step_workloads.h"
#include "tests/support/uneven_all_to_all.h"
#include "tests/support/whole_program.h"

namespace heddle::bench {
namespace {

using collective::Grid;
using schedule::CollectiveKind;

/// AR(n): one all-reduce of 64 MiB on one level, all ranks there at time zero.
Done all_reduce(Grid grid) {
  collective::RankTimes times(grid.ranks());
  grid.run(CollectiveKind::kAllReduce, mebibytes(64), times);
  return {grid.sends(CollectiveKind::kAllReduce),
          *std::max_element(times.begin(), times.end()) / 1e6};
}

/// Every rank's link a little slower than the next one's: no two steps alike.
Done all_reduce_links_differ(std::size_t ranks) {
  std::vector<double> factors(ranks);
  for (std::size_t r = 0; r < ranks; ++r) factors[r] = 1 + 0.001 * static_cast<double>(r % 97);
  return all_reduce(Grid({{ranks, {400'000'000'000}, nanoseconds(500)}}, factors));
}

Done step(const engine::DriftGraph& graph, Grid grid) {
  const engine::DriftResult result = run_drifting(graph, grid, test::drift(graph));
  return {result.sends, result.step.seconds() * 1e6};
}

Done uneven_all_to_all(std::size_t ranks) {
  const test::AllToAllRun run = test::run_uneven_all_to_all(static_cast<std::uint32_t>(ranks));
  return {run.flows, run.end.seconds() * 1e6 + 0.5};
}

Done queued_links(std::size_t pending) {
  constexpr std::uint64_t kEvents = 2'000'000;
  const SimTime end = run_queued_links(static_cast<std::uint32_t>(pending), kEvents);
  return {kEvents, end.seconds() * 1e6};
}

void run_scenario(const std::vector<std::string>& settings) {
  std::vector<std::string> arguments{"run", "scenarios/mistral-7b-4xh200.json"};
  for (const std::string& setting : settings) {
    arguments.insert(arguments.end(), {"--set", setting});
  }
  const test::ProgramOutput output = test::heddle(arguments);
  if (output.code != 0) throw std::runtime_error(output.err);
}

Done founding_scenario(std::size_t cases) {
  run_scenario({});
  return {cases, 0};
}

/// Mistral-7B's layers, four times as many.
std::string config_of_128_layers() {
  const std::string root = HEDDLE_SOURCE_DIR;
  std::string text = io::read_file(root + "/scenarios/models/mistral-7b/config.json");
  const std::string layers = "\"num_hidden_layers\": 32";
  text.replace(text.find(layers), layers.size(), "\"num_hidden_layers\": 128");
  const auto file = std::filesystem::temp_directory_path() / "heddle-bench-128-layers.json";
  std::ofstream(file) << text;
  return file.string();
}

/// HYBRID_SHARD of a model of 128 layers: shards within a machine of 8, replicas across all.
Done hybrid_sharding(std::size_t gpus, const std::string& changes) {
  run_scenario({"model.config=" + config_of_128_layers(),
                fmt::format(R"(fabrics=[{{"id": "all", "node": "8xH200-SXM", "nodes": {}, "network":
                            "ib-ndr-rail", "gpus": "all", "changes": [{}]}}])",
                            gpus / 8, changes),
                R"(strategies=[{"strategy": "fsdp", "dialect": "fsdp2",
                                "options": {"sharding_strategy": "hybrid_shard"}}])"});
  return {gpus, 0};
}

std::vector<Workload> make_workloads() {
  return {
      {"AR",
       "sends",
       "ring all-reduce of 64 MiB, a link of its own for each rank",
       {512, 1024, 2048, 4096},
       {{4096, 0.025, 0, 64}},
       all_reduce_links_differ},
      {"AR, equal links",
       "sends",
       "the same on equal links",
       {4096, 65'536, 1'048'576},
       {{4096, 0.025, 0, 64}},
       [](std::size_t n) { return all_reduce(test::one_level(n)); }},
      {"DDP 2L",
       "sends",
       "32 layers on 8 x n/8, every rank drifting",
       {512, 2048, 16'384},
       {{2048, 0.1, 0, 0}},
       [](std::size_t n) { return step(test::ddp_graph(), test::two_levels(n)); }},
      {"FSDP 2L",
       "sends",
       "the same, parameters gathered and gradients scattered",
       {512, 2048, 16'384},
       {{2048, 0.15, 0, 0}},
       [](std::size_t n) { return step(test::fsdp_graph(), test::two_levels(n)); }},
      {"DDP-J",
       "sends",
       "DDP on one level, links queued, every rank drifting",
       {64, 512, 4096},
       {{512, 0.1, 0, 0}},
       [](std::size_t n) { return step(test::ddp_graph(), test::one_level(n)); }},
      {"A2A-J",
       "flows",
       "uneven all-to-all, max-min fair",
       {64, 128, 256},
       {{128, 0.12, 0, 0}, {256, 1, 0, 0}},
       uneven_all_to_all},
      {"event core",
       "events",
       "messages queued on 8,192 links, n under way",
       {1024, 16'384},
       {{16'384, 0, 20e6, 0}},
       queued_links},
      {"HSDP folded",
       "GPUs",
       "hybrid sharding of 128 layers, machines of 8 on rails",
       {65'536, 1'048'576},
       {{1'048'576, 1, 0, 1024}},
       [](std::size_t n) { return hybrid_sharding(n, ""); }},
      {"HSDP, a slow GPU",
       "GPUs",
       "the same, one GPU at 80 %",
       {1'048'576},
       {{1'048'576, 3, 0, 1024}},
       [](std::size_t n) {
         return hybrid_sharding(n, R"({"gpu": "node7/gpu3", "speed": "80 %"})");
       }},
      {"founding scenario",
       "cases",
       "read, plan, simulate, print 15 cases",
       {15},
       {{15, 0.03, 0, 0}},
       founding_scenario},
  };
}

}  // namespace

std::optional<Goal> Workload::goal(std::size_t size) const {
  const auto found =
      std::find_if(goals.begin(), goals.end(), [&](const Goal& goal) { return goal.size == size; });
  return found == goals.end() ? std::nullopt : std::optional(*found);
}

const std::vector<Workload>& workloads() {
  static const std::vector<Workload> all = make_workloads();
  return all;
}

}  // namespace heddle::bench
