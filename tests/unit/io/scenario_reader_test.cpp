#include "sim/io/scenario_reader.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/unit/io/scenarios.h"

namespace heddle::io {
namespace {

TEST(ScenarioReader, ReadsEveryField) {
  const Read read = read_small();
  ASSERT_TRUE(read.scenario) << read.messages();
  const run::Scenario& scenario = *read.scenario;
  EXPECT_EQ(scenario.name, "small");
  EXPECT_EQ(scenario.file, "folder/x.json");
  EXPECT_EQ(scenario.model.hidden, 256);
  EXPECT_EQ(scenario.model.name, "tiny");
  EXPECT_EQ(scenario.model_config, "models/tiny.json");
  EXPECT_EQ(scenario.batch.micro_batch, 3);
  EXPECT_EQ(scenario.batch.sequence, 128);
  EXPECT_EQ(scenario.compute.precision, model::Precision::kAutocast);
  EXPECT_EQ(scenario.host.per_dispatch, microseconds(5));
  EXPECT_EQ(scenario.host.per_collective, nanoseconds(1500));
}

TEST(ScenarioReader, FillsInTheDocumentedDefaults) {
  const Read read = read_small();
  ASSERT_TRUE(read.scenario) << read.messages();
  const parallel::TrainingSpec& training = read.scenario->training;
  EXPECT_EQ(training.optimizer.kernel, parallel::OptimizerKernel::kForeach);
  EXPECT_FALSE(training.gradient_clipping);
  EXPECT_TRUE(training.keep_outputs);
  EXPECT_TRUE(training.sync_each_step);
  EXPECT_EQ(training.steps, 2);
  EXPECT_EQ(read.scenario->headroom, 0.02);
  EXPECT_EQ(read.scenario->seed, 0U);
}

TEST(ScenarioReader, NeedsNoMoreThanModelTrainingMachineAndStrategy) {
  const Read read = read_text(R"({
    "schema": "heddle.scenario/1", "name": "least",
    "model": {"config": "models/tiny.json"},
    "training": {"micro_batch": 1, "sequence_length": 128, "precision": "bf16"},
    "fabrics": [{"node": "8xH200-SXM"}, {"node": "8xH200-SXM", "nodes": 2, "network": "ib-ndr-rail"},
                {"import": {"file": "quads.txt", "like": "8xH200-NVL"}}],
    "strategies": ["ddp"]
  })");
  ASSERT_TRUE(read.scenario) << read.messages();
  const run::Scenario& scenario = *read.scenario;
  EXPECT_EQ(scenario.model.name, "tiny");
  EXPECT_EQ(scenario.host.per_dispatch, microseconds(5));
  EXPECT_EQ(scenario.host.per_collective, microseconds(20));
  EXPECT_EQ(scenario.fabrics.at(0).id, "8xH200-SXM");
  EXPECT_EQ(scenario.fabrics.at(1).id, "2x8xH200-SXM-ib-ndr-rail");
  EXPECT_EQ(scenario.fabrics.at(2).id, "quads");
  EXPECT_TRUE(scenario.fabrics.at(0).gpus.empty());  // all
}

TEST(ScenarioReader, ReadsTheOneInReadme) {
  std::ifstream file(std::filesystem::path(HEDDLE_SOURCE_DIR) / "README.md");
  const std::string readme(std::istreambuf_iterator<char>(file), {});
  const std::size_t begin = readme.find(R"({"schema": "heddle.scenario/1")");
  ASSERT_NE(begin, std::string::npos);
  const std::string text = readme.substr(begin, readme.find("```", begin) - begin);
  const Read read = read_text(text, {}, {{"folder/config.json", kDecoderConfig}});
  EXPECT_TRUE(read.scenario) << read.messages();
}

TEST(ScenarioReader, ReadsFabricsOfBothKinds) {
  const Read read = read_small();
  ASSERT_TRUE(read.scenario) << read.messages();
  const run::FabricChoice& preset = read.scenario->fabrics.at(0);
  EXPECT_EQ(preset.node, "8xH200-SXM");
  EXPECT_EQ(preset.import_file, "");
  EXPECT_EQ(preset.gpus, (std::vector<run::GpuPlace>{{0, 2}, {0, 3}}));
  EXPECT_TRUE(preset.comm.p2p);
  EXPECT_FALSE(preset.comm.algorithm.has_value());
  const run::FabricChoice& wiring = read.scenario->fabrics.at(1);
  EXPECT_EQ(wiring.import_file, "folder/quads.txt");
  EXPECT_EQ(wiring.import_name, "quads.txt");
  EXPECT_EQ(wiring.like_node, "8xH200-NVL");
  EXPECT_EQ(wiring.gpus, (std::vector<run::GpuPlace>{
                             {0, 4}, {0, 0}}));  // rank order, as CUDA_VISIBLE_DEVICES has it
  EXPECT_FALSE(wiring.comm.p2p);
  EXPECT_EQ(wiring.comm.algorithm, collective::Algorithm::kRing);
  EXPECT_EQ(wiring.comm.protocol, collective::Protocol::kLl128);
  EXPECT_EQ(wiring.pointer, "/fabrics/1");
}

TEST(ScenarioReader, AnOverlayIsANameOrAFileBesideTheScenario) {
  Files files = small_files();
  files["folder/mine.json"] = "an overlay";
  const auto with = [&files](const std::string& overlay) {
    return read_small({{"/fabrics/0/overlay", overlay}}, files);
  };
  const Read plain = read_small();
  const Read named = with("founding-h200-sxm");
  const Read own = with("mine.json");
  ASSERT_TRUE(plain.scenario && named.scenario && own.scenario) << own.messages();
  EXPECT_EQ(named.scenario->fabrics.at(0).overlay, "founding-h200-sxm");
  EXPECT_EQ(named.scenario->fabrics.at(0).overlay_file, "");
  EXPECT_EQ(own.scenario->fabrics.at(0).overlay_file, "folder/mine.json");
  EXPECT_NE(named.scenario->content_hash, plain.scenario->content_hash);
  EXPECT_NE(own.scenario->content_hash, named.scenario->content_hash);
  files["folder/mine.json"] = "another overlay";
  EXPECT_NE(with("mine.json").scenario->content_hash, own.scenario->content_hash);
  EXPECT_FALSE(with("theirs.json").scenario.has_value());
}

std::vector<run::GpuPlace> gpus_of(const OverrideList& overrides) {
  const Read read = read_small(overrides);
  EXPECT_TRUE(read.scenario) << read.messages();
  return read.scenario ? read.scenario->fabrics.at(0).gpus : std::vector<run::GpuPlace>{};
}

TEST(ScenarioReader, SpreadsGpuNumbersOverTheNodes) {
  using Places = std::vector<run::GpuPlace>;
  const std::pair<std::string, std::string> two{"fabrics.0.nodes", "2"};
  EXPECT_EQ(gpus_of({two}), (Places{{0, 2}, {0, 3}, {1, 2}, {1, 3}}));
  EXPECT_EQ(gpus_of({two, {"fabrics.0.rank_order", "round_robin"}}),
            (Places{{0, 2}, {1, 2}, {0, 3}, {1, 3}}));
  EXPECT_EQ(gpus_of({two, {"fabrics.0.gpus", "\"0-1, 7\""}}),
            (Places{{0, 0}, {0, 1}, {0, 7}, {1, 0}, {1, 1}, {1, 7}}));
}

TEST(ScenarioReader, ReadsGpusOfUnequalNodesAndAll) {
  using Places = std::vector<run::GpuPlace>;
  const std::pair<std::string, std::string> two{"fabrics.0.nodes", "2"};
  EXPECT_EQ(gpus_of({two, {"fabrics.0.gpus", R"(["0:0", "0:1", "1:3"])"}}),
            (Places{{0, 0}, {0, 1}, {1, 3}}));
  EXPECT_EQ(gpus_of({two, {"fabrics.0.gpus", R"("1:2-3,0:0")"}}), (Places{{1, 2}, {1, 3}, {0, 0}}));
  EXPECT_EQ(gpus_of({two, {"fabrics.0.gpus", "all"}}), Places{});
}

TEST(ScenarioReader, RemembersTheLineOfEachChoice) {
  const Read read = read_small();
  ASSERT_TRUE(read.scenario) << read.messages();
  EXPECT_EQ(read.scenario->fabrics.at(0).line, 8);
  EXPECT_EQ(read.scenario->fabrics.at(1).line, 9);
  EXPECT_EQ(read.scenario->strategies.at(1).line, 26);
}

TEST(ScenarioReader, ReadsStrategiesByNameAndInFull) {
  const Read read = read_small();
  ASSERT_TRUE(read.scenario) << read.messages();
  const run::StrategyChoice& named = read.scenario->strategies.at(0);
  EXPECT_EQ(named.id, "zero1");
  EXPECT_EQ(named.dialect, "deepspeed");  // the table's first for zero1
  const run::StrategyChoice& full = read.scenario->strategies.at(1);
  EXPECT_EQ(full.id, "two");
  EXPECT_EQ(full.strategy, "fsdp");
  EXPECT_EQ(full.dialect, "fsdp2");
  EXPECT_EQ(full.pointer, "/strategies/1");
}

TEST(ScenarioReader, LeavesAbsolutePathsAsTheyAre) {
  const Read read = read_small({{"model.config", "/elsewhere/tiny.json"}});
  EXPECT_FALSE(read.scenario);
  EXPECT_NE(read.messages().find("/elsewhere/tiny.json"), std::string::npos);
}

std::uint64_t hash_of(const OverrideList& overrides, const Files& files = small_files()) {
  const Read read = read_small(overrides, files);
  EXPECT_TRUE(read.scenario) << read.messages();
  return read.scenario ? read.scenario->content_hash : 0;
}

TEST(ScenarioHash, IgnoresSpellingAndTextsForPeople) {
  const std::uint64_t plain = hash_of({});
  EXPECT_EQ(hash_of({{"host.per_dispatch", "5000 ns"}}), plain);
  EXPECT_EQ(hash_of({{"headroom", "2.0 %"}, {"training.steps", "2"}}), plain);  // the defaults
  EXPECT_EQ(hash_of({{"training.optimizer", R"({"type": "adamw", "kernel": "foreach"})"}}), plain);
  EXPECT_EQ(hash_of({{"fabrics.0.gpus", "2,3"}}), plain);
  EXPECT_EQ(hash_of({{"strategies.0", R"({"strategy": "zero1", "id": "z"})"}}), plain);
  EXPECT_EQ(hash_of({{"name", "other"}, {"description", "text"}}), plain);
}

TEST(ScenarioHash, CoversWhatCanChangeANumber) {
  const std::uint64_t plain = hash_of({});
  for (const auto& override : OverrideList{{"training.micro_batch", "4"},
                                           {"training.gradient_clipping", "true"},
                                           {"headroom", "2.000001 %"},
                                           {"seed", "1"},
                                           {"fabrics.0.gpus", "3,2"},
                                           {"fabrics.0.nodes", "2"},
                                           {"fabrics.0.network", "ib-ndr-rail"},
                                           {"fabrics.0.p2p", "off"},
                                           {"fabrics.1.protocol", "simple"},
                                           {"fabrics.0.p2p_level", "SYS"},
                                           {"fabrics.0.shm", "off"},
                                           {"fabrics.0.nvls", "off"},
                                           {"fabrics.0.min_ctas", "8"},
                                           {"fabrics.0.max_ctas", "8"},
                                           {"fabrics.0.ring_order", "rank"},
                                           {"strategies.1.dialect", "fsdp1"}}) {
    EXPECT_NE(hash_of({override}), plain) << override.first;
  }
  Files files = small_files();
  files["folder/quads.txt"] = "another matrix";
  EXPECT_NE(hash_of({}, files), plain);
}

TEST(ScenarioReader, ShippedScenariosAreAccepted) {
  const auto read_file = [](const std::string& path) {
    std::ifstream file(path);
    return std::string{std::istreambuf_iterator<char>(file), {}};
  };
  int count = 0;
  const std::string folder = std::string(HEDDLE_SOURCE_DIR) + "/scenarios";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    const std::string file = entry.path().string();
    Diagnostics out;
    EXPECT_TRUE(read_scenario(read_file(file), file, {}, read_file, out)) << file;
    ++count;
  }
  EXPECT_GE(count, 2);  // Mistral and DINOv2
}

}  // namespace
}  // namespace heddle::io
