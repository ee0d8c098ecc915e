#include "tests/golden/runner/case_file.h"

#include <gtest/gtest.h>

#include <string>

namespace heddle::golden {
namespace {

const std::string kHeader =
    "name = a name\n"
    "why = a reason\n"
    "tags = memory\n"
    "base = scenarios/x.json\n";

/// The lines and messages of all faults.
std::string faults(const std::string& text) {
  Diagnostics out;
  EXPECT_FALSE(parse_case(text, "x.case", out).has_value());
  std::string all;
  for (const Diagnostic& d : out.all()) all += std::to_string(d.line) + ": " + d.message + "\n";
  return all;
}

TEST(CaseFile, reads_header_patch_and_expectation) {
  Diagnostics out;
  const auto golden = parse_case(kHeader +
                                     "# a comment\n\n"
                                     "set training.micro_batch = 2\n"
                                     "expect a/ddp memory.peak = 12 +- 3 %  # 3 x 4 = 12\n",
                                 "x.case", out);
  ASSERT_TRUE(golden.has_value());
  EXPECT_EQ(golden->base, "scenarios/x.json");
  ASSERT_EQ(golden->overrides.size(), 1u);
  EXPECT_EQ(golden->overrides[0].first, "training.micro_batch");
  EXPECT_EQ(golden->overrides[0].second, "2");
  ASSERT_EQ(golden->expectations.size(), 1u);
  const Expectation& expected = golden->expectations[0];
  EXPECT_EQ(expected.line, 8);
  EXPECT_EQ(expected.case_id, "a/ddp");
  EXPECT_EQ(expected.metric, "memory.peak");
  EXPECT_EQ(expected.value, "12");
  EXPECT_EQ(expected.tolerance, "3 %");
  EXPECT_EQ(expected.computation, "3 x 4 = 12");
}

TEST(CaseFile, reads_an_expected_error) {
  Diagnostics out;
  const auto golden = parse_case(kHeader + "error = out-of-range at /training/x\n", "x.case", out);
  ASSERT_TRUE(golden.has_value());
  ASSERT_EQ(golden->errors.size(), 1u);
  EXPECT_EQ(golden->errors[0].code, "out-of-range");
  EXPECT_EQ(golden->errors[0].pointer, "/training/x");
}

TEST(CaseFile, rejects_a_case_without_reason) {
  EXPECT_EQ(faults("name = a\ntags = b\nbase = c\nerror = d at /e\n"),
            "0: needs a line \"why = ...\"\n");
}

TEST(CaseFile, rejects_a_number_without_hand_computation) {
  EXPECT_EQ(faults(kHeader + "expect a/ddp x = 1 +- 0\n"),
            "5: needs its hand computation after #\n");
}

TEST(CaseFile, names_every_fault_at_once) {
  EXPECT_EQ(faults(kHeader + "nonsense\ncolour = red\nerror = code\n"),
            "5: expected \"key = value\"\n"
            "6: unknown key \"colour\"\n"
            "7: expected \"error = CODE at /json/pointer\"\n");
}

TEST(CaseFile, wants_something_to_expect) {
  EXPECT_EQ(faults(kHeader), "0: needs either expect lines or error lines\n");
}

}  // namespace
}  // namespace heddle::golden
