// Settings that are handed out read back as the options they were written from.

#include <gmock/gmock.h>

#include "sim/advise/variants.h"
#include "sim/io/scenario_writer.h"
#include "sim/io/training_export/launch_settings.h"
#include "tests/property/advise/jobs.h"

namespace heddle::advise {
namespace {

/// The scenario whose one strategy comes from the settings' file. It states what the file leaves to
/// the script, nothing else.
std::optional<run::Scenario> read_back(const run::Scenario& written,
                                       const io::LaunchSettings& settings) {
  const bool has_batch = settings.file == "ds_config.json";
  std::vector<std::pair<std::string, std::string>> changes{
      {"strategies", R"([{"from": "settings"}])"}, {"model.layers", "2"}};
  if (!has_batch) {
    changes.emplace_back("training.micro_batch", std::to_string(written.batch.micro_batch));
    changes.emplace_back("training.accumulation", std::to_string(written.training.accumulation));
  }
  const auto read = [&](const std::string& path) {
    return path.ends_with("/settings") ? settings.text : io::read_file(path);
  };
  const std::string file = std::string(HEDDLE_SOURCE_DIR) + "/scenarios/mistral-7b-4xh200.json";
  Diagnostics problems;
  auto scenario = io::read_scenario(io::read_file(file), file, changes, read, problems);
  for (const Diagnostic& d : problems.all()) {
    if (d.severity == Severity::kError) ADD_FAILURE() << format(d) << "\n" << settings.text;
  }
  return scenario;
}

run::Scenario base_scenario() {
  const std::string file = std::string(HEDDLE_SOURCE_DIR) + "/scenarios/mistral-7b-4xh200.json";
  Diagnostics problems;
  const std::vector<std::pair<std::string, std::string>> changes{{"model.layers", "2"}};
  return *io::read_scenario(io::read_file(file), file, changes, io::read_file, problems);
}

TEST(LaunchSettings, ReadBackAsTheyWereWritten) {
  int written = 0;
  for (const Variant& variant : variants()) {
    run::Scenario scenario = base_scenario();
    scenario.batch.micro_batch = 1;
    const run::StrategyChoice choice = choice_of(variant);
    const auto settings = io::launch_settings(scenario, choice);
    if (!settings) {
      EXPECT_EQ(variant.strategy, "single");
      continue;
    }
    ++written;
    const auto read = read_back(scenario, *settings);
    if (!read) continue;
    const run::StrategyChoice& again = read->strategies.at(0);
    EXPECT_EQ(again.strategy, choice.strategy) << settings->text;
    EXPECT_EQ(again.dialect, choice.dialect) << settings->text;
    EXPECT_EQ(again.options, choice.options) << settings->text;
    EXPECT_EQ(read->compute.precision, scenario.compute.precision);
    EXPECT_EQ(read->batch.micro_batch, 1);
  }
  EXPECT_GE(written, 12);
}

TEST(LaunchSettings, CarryOffloadAccumulationAndClipping) {
  run::Scenario scenario = base_scenario();
  scenario.training.accumulation = 4;
  scenario.training.gradient_clipping = true;
  scenario.training.offload = {true, true, false};
  scenario.batch.micro_batch = 1;
  run::StrategyChoice choice{"zero3", "zero3", "deepspeed", {}, ""};
  choice.options.deepspeed.max_live_parameters = 123'456'789;
  const auto settings = io::launch_settings(scenario, choice);
  ASSERT_TRUE(settings);
  const auto read = read_back(scenario, *settings);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->strategies.at(0).options, choice.options);
  EXPECT_EQ(read->training.accumulation, 4);
  EXPECT_TRUE(read->training.gradient_clipping);
  EXPECT_TRUE(read->training.offload.optimizer);
  EXPECT_TRUE(read->training.offload.parameters);
}

TEST(LaunchSettings, SayCheckpointingWhereAFileCan) {
  run::Scenario scenario = base_scenario();
  scenario.compute.checkpointing = model::Checkpointing::kFull;
  for (const Variant& variant : variants()) {
    const auto settings = io::launch_settings(scenario, choice_of(variant));
    if (!settings) continue;
    if (variant.strategy == "fsdp") {
      const auto read = read_back(scenario, *settings);
      ASSERT_TRUE(read);
      EXPECT_EQ(read->compute.checkpointing, model::Checkpointing::kFull);
    } else {
      EXPECT_THAT(settings->script, testing::Contains(testing::HasSubstr("checkpointing")));
    }
  }
}

TEST(LaunchSettings, SayNothingWhereNoFileCan) {
  const run::Scenario scenario = base_scenario();
  run::StrategyChoice choice{"ddp", "ddp", "pytorch-ddp", {}, ""};
  choice.options.ddp.gradient_as_bucket_view = true;
  EXPECT_FALSE(io::launch_settings(scenario, choice));
  run::StrategyChoice cast{"fsdp", "fsdp", "fsdp2", {}, ""};
  cast.options.fsdp.reduce_dtype = parallel::CastType::kFloat32;
  EXPECT_FALSE(io::launch_settings(scenario, cast));
}

}  // namespace
}  // namespace heddle::advise
