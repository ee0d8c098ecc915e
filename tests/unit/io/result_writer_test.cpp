#include "sim/io/result_writer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/io/json_document.h"
#include "tests/unit/io/results.h"

namespace heddle::io {
namespace {

run::Scenario small_scenario() {
  run::Scenario s;
  s.name = "small";
  s.file = "/folder/small.json";
  s.assumptions = {"1024 tokens"};
  return s;
}

/// Strict reading is the check that the text is JSON.
class ResultJson : public testing::Test {
 protected:
  const run::CaseResult result_ = small_result();
  const std::string text_ = write_result_json(small_scenario(), "0123456789abcdef", {{result_}});
  Diagnostics out_;
  const JsonDocument document_ = JsonDocument::parse(text_, "r.json", out_).value();
  const Value run_ = document_.root().member("runs")->items(out_).at(0);
  const Value memory_ = *run_.member("memory");
};

TEST_F(ResultJson, BeginsWithSchemaAndFingerprint) {
  EXPECT_EQ(document_.root().keys(),
            (std::vector<std::string>{"schema", "fingerprint", "scenario", "assumptions", "runs"}));
  EXPECT_EQ(document_.root().member("schema")->as_string(out_), "heddle.result/1");
  EXPECT_EQ(document_.root().member("fingerprint")->as_string(out_), "0123456789abcdef");
}

TEST_F(ResultJson, HasThePromisedKeys) {
  for (const char* key : {"case", "fabric", "strategy", "dialect", "gpu", "gpus", "fits",
                          "step_time_s", "tokens_per_s", "samples_per_s", "mfu", "exposed_comm_s",
                          "host_s", "compute_s", "bound_by", "wire_bytes", "memory", "traffic"}) {
    EXPECT_TRUE(run_.member(key).has_value()) << key;
  }
  for (const char* key : {"resident_bytes", "peak_allocated_bytes", "peak_phase", "peak_layer",
                          "peak_op", "context_bytes", "nccl_bytes", "headroom_bytes",
                          "capacity_bytes", "categories_at_peak", "timeline"}) {
    EXPECT_TRUE(memory_.member(key).has_value()) << key;
  }
}

TEST_F(ResultJson, BytesAreExactIntegers) {
  EXPECT_EQ(memory_.member("capacity_bytes")->as_integer(0, INT64_MAX, out_), 9007199254740993);
  // 3e9 allocated + 500 context + 70 NCCL + 3 headroom
  EXPECT_EQ(memory_.member("needed_bytes")->as_integer(0, INT64_MAX, out_), 3000000573);
}

TEST_F(ResultJson, CategoriesAddUpToThePeak) {
  std::int64_t sum = 0;
  const Value categories = *memory_.member("categories_at_peak");
  for (const std::string& key : categories.keys()) {
    sum += categories.member(key)->as_integer(0, INT64_MAX, out_).value();
  }
  EXPECT_EQ(sum, 3'000'000'000);
}

TEST_F(ResultJson, TimesAreSeconds) {
  EXPECT_EQ(run_.member("step_time_s")->as_number(0, 1, out_), 0.25);
  const Value second = memory_.member("timeline")->items(out_).at(1);
  EXPECT_EQ(second.member("time_s")->as_number(0, 1, out_), 1e-6);  // 10^6 ps
  EXPECT_EQ(second.member("total_bytes")->as_integer(0, INT64_MAX, out_), 3'000'000'000);
}

TEST_F(ResultJson, NamesNoFolder) {
  EXPECT_EQ(text_.find("/folder"), std::string::npos);
}

TEST_F(ResultJson, ScalarsAreColumnsOfTheCsv) {
  const std::string csv = write_result_csv({{result_}});
  const std::string header = "," + csv.substr(0, csv.find('\n')) + ",";
  for (const Value& object : {run_, memory_}) {
    for (const std::string& key : object.keys()) {
      const JsonKind kind = object.member(key)->kind();
      if (kind == JsonKind::kArray || kind == JsonKind::kObject) continue;
      EXPECT_NE(header.find("," + key + ","), std::string::npos) << key;
    }
  }
}

/// What stands behind `key` up to the end of its line.
std::string line_of(const std::string& text, const std::string& key) {
  const std::size_t at = text.find("\"" + key + "\":");
  return at == std::string::npos ? "" : text.substr(at, text.find('\n', at) - at);
}

TEST(ResultJsonOfDraws, HasNoMoreThanThreeDigits) {
  const std::string text = write_result_json(small_scenario(), "0", {{varied_result()}});
  const std::string variation = text.substr(text.find("\"variation\""));
  EXPECT_EQ(line_of(variation, "draws"), "\"draws\": 2,");
  EXPECT_EQ(line_of(variation, "step_time_s"),
            "\"step_time_s\": {\"p10\": 0.2, \"p50\": 0.25, \"p90\": 0.333},");
  // 100 tokens in 0.333333, 0.25 and 0.2 s
  EXPECT_EQ(line_of(variation, "tokens_per_s"),
            "\"tokens_per_s\": {\"p10\": 300, \"p50\": 400, \"p90\": 500},");
  EXPECT_EQ(line_of(variation, "spread"), "\"spread\": 0.123,");
  EXPECT_EQ(line_of(variation, "together"), "\"together\": -0.1");
  EXPECT_NE(variation.find("{\"cause\": \"network\", \"share\": 0.9, \"sigma\": 0.04, "
                           "\"origin\": \"a file\"}"),
            std::string::npos);
}

TEST(ResultJsonOfCosts, UnknownPowerIsNull) {
  const std::string text = write_result_json(small_scenario(), "0", {{varied_result()}});
  EXPECT_EQ(line_of(text, "power_busy_w"), "\"power_busy_w\": null,");
  EXPECT_EQ(line_of(text, "step"),
            "\"step\": {\"hours\": 0.5, \"money\": 6, \"kwh\": null, \"waiting_money\": 1.2, "
            "\"waiting_kwh\": null},");
  EXPECT_EQ(line_of(text, "epoch"), "");
  EXPECT_NE(line_of(text, "run").find("\"kwh\": 7.5"), std::string::npos);
}

}  // namespace
}  // namespace heddle::io
