// A cluster folded to the machines that differ: the same collectives, steps and memory as whole.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "hw_models/catalog.h"
#include "sim/collective/collective_model.h"
#include "sim/io/file.h"
#include "sim/io/scenario_reader.h"
#include "sim/run/study.h"

namespace heddle::test {
namespace {

const std::string kRoot = HEDDLE_SOURCE_DIR;

const run::HardwareCatalog& catalog() {
  static const auto kCatalog = hw_models::open_catalog(kRoot + "/hw_models");
  return *kCatalog;
}

struct ClusterCase {
  std::string node;
  std::string network;
  int nodes = 0;
};

/// All GPUs, or the first of every machine.
std::vector<fabric::DeviceId> members(const fabric::Fabric& fabric, bool all) {
  std::vector<fabric::DeviceId> chosen;
  for (int n = 0; n < fabric.node_count(); ++n) {
    const auto gpus = fabric.node_gpus(n);
    chosen.insert(chosen.end(), gpus.begin(), all ? gpus.end() : gpus.begin() + 1);
  }
  return chosen;
}

collective::CollectiveModel model_on(const fabric::Fabric& fabric, bool all_gpus) {
  Diagnostics problems;
  const auto tuning = catalog().nccl_tuning("hopper", "", problems);
  auto model =
      collective::CollectiveModel::create(fabric, members(fabric, all_gpus), {}, *tuning, problems);
  EXPECT_FALSE(problems.has_errors()) << fabric.name();
  return *model;
}

void expect_equal_costs(const collective::CollectiveModel& folded,
                        const collective::CollectiveModel& whole) {
  ASSERT_EQ(folded.size(), whole.size());
  for (const auto kind : schedule::kCollectiveKinds) {
    if (schedule::is_point_to_point(kind)) continue;
    for (const std::int64_t bytes : {1'000L, 1'000'000L, 100'000'000L, 10'000'000'000L}) {
      const auto a = folded.cost({kind, {bytes}});
      const auto b = whole.cost({kind, {bytes}});
      SCOPED_TRACE(std::string(schedule::to_string(kind)) + " of " + std::to_string(bytes) + " B");
      EXPECT_EQ(a.algorithm, b.algorithm);
      EXPECT_EQ(a.protocol, b.protocol);
      EXPECT_EQ(a.channels, b.channels);
      EXPECT_EQ(a.latency, b.latency);
      EXPECT_EQ(a.rate, b.rate);
      EXPECT_EQ(a.rate_cap, b.rate_cap);
      EXPECT_EQ(a.total, b.total);
      EXPECT_EQ(a.limiting_link.has_value(), b.limiting_link.has_value());
    }
  }
}

class FoldedCluster : public testing::TestWithParam<ClusterCase> {};

TEST_P(FoldedCluster, RunsCollectivesAsTheWholeOneDoes) {
  const ClusterCase& c = GetParam();
  Diagnostics problems;
  const auto whole = catalog().cluster(c.node, c.nodes, c.network, problems);
  const auto folded = catalog().folded_cluster(c.node, c.nodes, c.network, problems);
  ASSERT_TRUE(whole && folded);
  EXPECT_LT(folded->node_count(), whole->node_count());
  EXPECT_EQ(folded->represented_nodes(), c.nodes);
  for (const bool all_gpus : {true, false}) {
    SCOPED_TRACE(all_gpus ? "all GPUs" : "one GPU of each machine");
    expect_equal_costs(model_on(*folded, all_gpus), model_on(*whole, all_gpus));
  }
}

INSTANTIATE_TEST_SUITE_P(Clusters, FoldedCluster,
                         testing::Values(ClusterCase{"8xH100-SXM", "ib-ndr-rail", 192},
                                         ClusterCase{"8xH100-SXM", "ib-ndr-rail", 301},
                                         ClusterCase{"8xH200-SXM", "ib-ndr-fat-tree-3", 256},
                                         ClusterCase{"8xH200-SXM", "ib-ndr-fat-tree-2-over-2", 259},
                                         ClusterCase{"8xH200-NVL", "ethernet-100g", 270}));

std::optional<run::Study> study_of(const std::string& fabrics, bool may_fold) {
  Diagnostics problems;
  const std::string file = kRoot + "/scenarios/mistral-7b-4xh200.json";
  const std::vector<std::pair<std::string, std::string>> settings{
      {"model.layers", "2"}, {"fabrics", fabrics}, {"strategies", R"(["ddp", "fsdp",
          {"id": "hybrid", "strategy": "fsdp", "dialect": "fsdp2", "options": {"sharding_strategy": "hybrid_shard"}}])"}};
  auto scenario = io::read_scenario(io::read_file(file), file, settings, io::read_file, problems);
  const auto open = [=](run::FabricChoice choice, const std::string& name, Diagnostics& out) {
    choice.may_fold = choice.may_fold && may_fold;
    return run::resolve_machine(choice, name, catalog(), io::read_file, out);
  };
  auto study =
      run::Study::create(std::move(*scenario), run::Hardware{catalog(), open, 0}, problems);
  EXPECT_TRUE(study.has_value());
  return study;
}

void expect_equal_results(const std::string& fabrics) {
  const auto folded = study_of(fabrics, true);
  const auto whole = study_of(fabrics, false);
  for (const run::CaseId& id : whole->cases()) {
    SCOPED_TRACE(id.id);
    const run::CaseResult a = folded->run(id, false);
    const run::CaseResult b = whole->run(id, false);
    EXPECT_LT(folded->fabric(id).node_count(), whole->fabric(id).node_count());
    EXPECT_EQ(a.ranks, b.ranks);
    EXPECT_EQ(a.step_time, b.step_time);
    EXPECT_EQ(a.tokens_per_second, b.tokens_per_second);
    // A tree's traffic is averaged over the machines that are there: (m - 1) / m, not (n - 1) / n.
    EXPECT_NEAR(static_cast<double>(a.wire_bytes.value), static_cast<double>(b.wire_bytes.value),
                0.01 * static_cast<double>(b.wire_bytes.value));
    EXPECT_EQ(a.accounting.exposed_comm, b.accounting.exposed_comm);
    EXPECT_EQ(a.run.ranks.front().peak.total(), b.run.ranks.front().peak.total());
    EXPECT_EQ(a.slow.size(), b.slow.size());
    EXPECT_EQ(a.run.ranks.size(), b.run.ranks.size());  // classes
    EXPECT_EQ(a.run.fingerprint, b.run.fingerprint);
  }
}

TEST(FoldedStudy, StepsAndMemoryAreThoseOfTheWholeCluster) {
  expect_equal_results(
      R"([{"id": "c", "node": "8xH200-SXM", "nodes": 200, "network": "ib-ndr-rail", "gpus": "all"}])");
}

TEST(FoldedStudy, ASlowGpuIsAClassOfItsOwn) {
  expect_equal_results(
      R"([{"id": "c", "node": "8xH200-SXM", "nodes": 200, "network": "ib-ndr-rail", "gpus": "all",
           "changes": [{"gpu": "node3/gpu5", "speed": "80 %"}]}])");
}

}  // namespace
}  // namespace heddle::test
