#include <gtest/gtest.h>

#include <set>

#include "sim/cli/accuracy/plan.h"

namespace heddle::cli::accuracy {
namespace {

std::string with_record(const std::string& record) {
  return R"({"schema":"heddle.accuracy-plan/1","records":[)" + record + "]}";
}

bool reports(const std::string& record, const std::string& code, const std::string& pointer) {
  Diagnostics problems;
  EXPECT_FALSE(read_plan(with_record(record), "plan.json", problems));
  for (const Diagnostic& d : problems.all()) {
    if (d.code == code && d.pointer == pointer) return true;
  }
  for (const Diagnostic& d : problems.all()) ADD_FAILURE() << format(d);
  return false;
}

TEST(AccuracyPlan, ReadsARowWithItsOverrides) {
  Diagnostics problems;
  const auto plan = read_plan(with_record(R"({"id":"a","memory":{"scenario":"s.json",
      "case":"f/ddp","read":"resident","also":[{"text":"fused","read":"peak_allocated",
      "set":{"training.optimizer.kernel":"fused"}}]},"assumptions":["x"]})"),
                              "plan.json", problems);
  ASSERT_TRUE(plan) << format(problems.all().front());
  const auto& row = std::get<MemoryRow>(plan->front().row);
  EXPECT_EQ(row.study.file, "s.json");
  EXPECT_EQ(row.read, MemoryQuantity::kResident);
  EXPECT_EQ(row.also[0].overrides, std::vector<std::string>{"training.optimizer.kernel=fused"});
  EXPECT_EQ(plan->front().assumptions, std::vector<std::string>{"x"});
}

TEST(AccuracyPlan, RefusesWhatWouldMapNothing) {
  EXPECT_TRUE(reports(R"({"id":"a"})", "not-one-row", "/records/0"));
  EXPECT_TRUE(reports(R"({"id":"a","memory":{"scenario":"s","case":"c","read":"peak"}})",
                      "unknown-quantity", "/records/0/memory"));
  EXPECT_TRUE(reports(R"({"id":"a","busbw":{"node":"n","gpus":[0],"size":"8 GiB","gpu":1}})",
                      "unknown-key", "/records/0/busbw/gpu"));
  EXPECT_TRUE(reports(R"({"id":"a","throughput":{"scenario":"s","ratios":[],
      "rules":[{"text":"t","less":["ddp"],"than":[]}]}})",
                      "unknown-ratio", "/records/0/throughput"));
}

}  // namespace
}  // namespace heddle::cli::accuracy
