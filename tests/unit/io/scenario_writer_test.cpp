#include "sim/io/scenario_writer.h"

#include "tests/unit/io/scenarios.h"

namespace heddle::io {
namespace {

void expect_fixed_point(const OverrideList& overrides) {
  const Read first = read_small(overrides);
  ASSERT_TRUE(first.scenario) << first.messages();
  const std::string written = write_scenario(*first.scenario);
  const Read second = read_text(written);
  ASSERT_TRUE(second.scenario) << written << second.messages();
  EXPECT_EQ(write_scenario(*second.scenario), written);
  EXPECT_EQ(second.scenario->content_hash, first.scenario->content_hash) << written;
}

TEST(ScenarioWriter, WritingAndReadingIsAFixedPoint) {
  expect_fixed_point({});
  expect_fixed_point(image_training());
  expect_fixed_point({{"fabrics.0.nodes", "3"}, {"fabrics.0.network", "ethernet-10g"}});
  expect_fixed_point({{"fabrics.0.nodes", "3"}, {"fabrics.0.rank_order", "round_robin"}});
  expect_fixed_point({{"fabrics.0.nodes", "2"},
                      {"fabrics.0.rank_order", "round_robin"},
                      {"fabrics.0.gpus", "all"}});
  expect_fixed_point({{"fabrics.0.nodes", "2"}, {"fabrics.0.gpus", "\"1:0-2,0:5\""}});
  expect_fixed_point({{"/fabrics/0/overlay", "founding-h200-sxm"}});
  expect_fixed_point({{"name", R"("quotes \" and \\ and \n")"}, {"description", "\xc3\xa9"}});
  expect_fixed_point({{"headroom", "33.333333 %"}, {"seed", "9223372036854775807"}});
  expect_fixed_point({{"host.run_ahead", "64"}, {"host.cuda_graph", "true"}});
  expect_fixed_point({{"variation", R"({"hardware": false, "host": "12.5 %", "kernel_noise": "0 %",
                       "straggler_chance": "0.001 %", "straggler_slow": "40 %"})"}});
  expect_fixed_point({{"cost", R"({"price": "0.1 EUR/GPU-hour", "power_busy": "0.35 kW",
                       "power_idle": "33.3 W", "pue": 1.1, "dataset": "15e12 tokens",
                       "run": "2.5 epochs"})"}});
  expect_fixed_point({{"host.per_dispatch", "1.234567 us"}, {"host.per_collective", "0 s"}});
  expect_fixed_point({{"host.per_step", "12 ms"}, {"software", "llm-foundry-2023"}});
}

TEST(ScenarioWriter, SpellsOutEveryDefault) {
  const Read read = read_small();
  ASSERT_TRUE(read.scenario) << read.messages();
  const std::string written = write_scenario(*read.scenario);
  for (
      const char* part :
      {R"("optimizer": {"type": "adamw", "kernel": "foreach", "states": "as_weights",)",
       R"("gradient_clipping": false)", R"("keep_outputs": true)", R"("steps": 2)",
       R"("headroom": "2 %")", R"("seed": 0)",
       R"({"id": "fast", "node": "8xH200-SXM", "gpus": [2, 3], "p2p": "on"})",
       R"({"id": "zero1", "strategy": "zero1", "dialect": "deepspeed", "options": {)",
       R"("reduce_bucket_size": 500000000)", R"("attention": "sdpa")", R"("accumulation": 1)",
       R"("per_dispatch": "5 us", "per_collective": "1500 ns", "run_ahead": 1000, "cuda_graph": false})",
       R"("hardware": true)", R"("kernel_noise": "1 %")", R"("straggler_chance": "0.01 %")",
       R"("price": "2.99 USD/GPU-hour")", R"("pue": 1)"}) {
    EXPECT_NE(written.find(part), std::string::npos) << part << " is not in\n" << written;
  }
}

std::string fabric_written(const OverrideList& overrides) {
  const Read read = read_small(overrides);
  EXPECT_TRUE(read.scenario) << read.messages();
  const std::string written = write_scenario(*read.scenario);
  const std::size_t at = written.find("{\"id\": \"fast\"");
  return written.substr(at, written.find('}', at) - at);
}

TEST(ScenarioWriter, WritesPlacesAsShortAsTheyAre) {
  const std::pair<std::string, std::string> two{"fabrics.0.nodes", "2"};
  EXPECT_NE(fabric_written({two}).find(R"("nodes": 2, "gpus": [2, 3], "rank_order": "node")"),
            std::string::npos);
  EXPECT_NE(fabric_written({two, {"fabrics.0.gpus", "all"}}).find(R"("gpus": "all")"),
            std::string::npos);
  EXPECT_NE(fabric_written({two, {"fabrics.0.gpus", R"("0:0,1:1")"}})
                .find(R"("gpus": ["0:0", "1:1"], "p2p")"),
            std::string::npos);
}

}  // namespace
}  // namespace heddle::io
