#include <gtest/gtest.h>

#include "hw_models/software_reader.h"
#include "tests/unit/hw_models/texts.h"

namespace heddle::hw_models {
namespace {

constexpr char kText[] = R"({"schema": "heddle.software/1", "name": "s", "summary": "x", "gpus": {
  "G": {"gemm_efficiency": {"value": "70 %", "kind": "calibrated", "source": "t", "date": "2026-11", "sigma": "3 %"},
        "overlap_cost": {"value": "2.5 times", "kind": "calibrated", "source": "t", "date": "2026-11", "sigma": "30 %"}}}})";

model::GpuModel gpu(const std::string& name) {
  model::GpuModel g;
  g.name = name;
  g.gemm_efficiency = 0.9;
  g.attention_efficiency = 0.5;
  return g;
}

TEST(Software, ReplacesWhatItNamesAndNothingElse) {
  Diagnostics out;
  const auto software = read_software({"s.json", "s", kText}, out);
  ASSERT_TRUE(software) << format(out.all().front());
  const auto used = apply(*software, gpu("G"), out);
  ASSERT_TRUE(used);
  EXPECT_DOUBLE_EQ(used->gemm_efficiency, 0.7);
  EXPECT_DOUBLE_EQ(used->overlap_cost, 2.5);
  EXPECT_DOUBLE_EQ(used->attention_efficiency, 0.5);
  EXPECT_DOUBLE_EQ(used->attention_backward, 0.8);
}

TEST(Software, RefusesAGpuItDoesNotKnow) {
  Diagnostics out;
  const auto software = read_software({"s.json", "s", kText}, out);
  EXPECT_FALSE(apply(*software, gpu("H"), out));
  EXPECT_EQ(out.all().front().code, "unknown-software");
  EXPECT_NE(out.all().front().hint.find("G"), std::string::npos);
}

TEST(Software, RefusesWrongUnitsAndKeys) {
  DataFile file{"s.json", "s", kText};
  file = changed(file, "\"2.5 times\"", "\"2.5\"");
  file = changed(file, "\"gemm_efficiency\"", "\"gem_efficiency\"");
  Diagnostics out;
  EXPECT_FALSE(read_software(file, out));
  EXPECT_TRUE(has_code(out, "bad-factor"));
  EXPECT_TRUE(has_code(out, "unknown-key"));
  EXPECT_EQ(out.error_count(), 2);
}

}  // namespace
}  // namespace heddle::hw_models
