#include "tests/golden/runner/compare.h"

#include <gtest/gtest.h>

#include <string>

#include "sim/io/json_document.h"

namespace heddle::golden {
namespace {

constexpr const char* kResult = R"({"runs": [
  {"case": "a/ddp", "step_time_s": 0.25, "fits": true, "bound_by": "host",
   "memory": {"peak_allocated_bytes": 9007199254740993}}]})";

std::string compared(const std::string& metric, const std::string& value,
                     const std::string& tolerance) {
  Diagnostics out;
  const auto document = io::JsonDocument::parse(kResult, "result", out);
  return compare({1, "a/ddp", metric, value, tolerance, "by hand"}, document->root());
}

TEST(Compare, integers_are_exact_beyond_the_range_of_doubles) {
  const std::string metric = "memory.peak_allocated_bytes";
  EXPECT_EQ(compared(metric, "9007199254740993", "0"), "");
  EXPECT_EQ(compared(metric, "9007199254740992", "0"),
            "expected 9007199254740992 +- 0, got 9007199254740993 (by hand: by hand)");
  EXPECT_EQ(compared(metric, "9007199254740992", "1"), "");
}

TEST(Compare, percent_is_of_the_expected_value) {
  EXPECT_EQ(compared("step_time_s", "0.2", "25 %"), "");  // 0.25 is 25 % over
  EXPECT_NE(compared("step_time_s", "0.2", "24 %"), "");
}

TEST(Compare, texts_and_booleans_are_equal_or_not) {
  EXPECT_EQ(compared("bound_by", "host", ""), "");
  EXPECT_EQ(compared("fits", "true", ""), "");
  EXPECT_NE(compared("fits", "false", ""), "");
  EXPECT_EQ(compared("bound_by", "host", "0"), "is no number, so it has no tolerance");
}

TEST(Compare, a_number_without_tolerance_is_refused) {
  EXPECT_EQ(compared("step_time_s", "0.25", ""), "a number needs a tolerance: +- 0.01 or +- 3 %");
}

TEST(Compare, names_that_lead_nowhere_fail) {
  EXPECT_EQ(compared("memory.peek", "1", "0"), "no metric of that name");
  Diagnostics out;
  const auto document = io::JsonDocument::parse(kResult, "result", out);
  EXPECT_EQ(compare({1, "b/ddp", "fits", "true", "", "x"}, document->root()),
            "no run of that name");
}

}  // namespace
}  // namespace heddle::golden
