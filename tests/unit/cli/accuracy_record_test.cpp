#include <gtest/gtest.h>

#include "sim/cli/accuracy/record.h"

namespace heddle::cli::accuracy {
namespace {

Record record(const std::string& group, std::optional<double> error) {
  return {"id", {group, "", std::nullopt, std::nullopt, {}}, std::nullopt, error, {}};
}

TEST(SignedError, IsRelativeToTheMeasuredValue) {
  EXPECT_NEAR(*signed_error_pct(110, {100, 100}), 10, 1e-9);
  EXPECT_NEAR(*signed_error_pct(90, {100, 100}), -10, 1e-9);
}

TEST(SignedError, IsZeroInsideARangeAndToItsNearestEndOutside) {
  EXPECT_EQ(*signed_error_pct(10.4, {10, 11}), 0);
  EXPECT_NEAR(*signed_error_pct(12.1, {10, 11}), 10, 1e-9);  // 12.1 / 11
  EXPECT_NEAR(*signed_error_pct(9, {10, 11}), -10, 1e-9);    // 9 / 10
  EXPECT_FALSE(signed_error_pct(1, {0, 0}));                 // nothing to be relative to
}

TEST(Relation, IsMetInsideTheRangeAndByTheRules) {
  Record r = record("g", std::nullopt);
  r.predicted.value = 1.2;
  EXPECT_FALSE(r.relation_met().has_value());
  r.measured = Measured{1.1, 1.1};
  EXPECT_FALSE(r.relation_met().has_value()) << "a single figure is no range";
  r.measured = Measured{1, 1.2};
  EXPECT_TRUE(r.relation_met().value());
  r.predicted.rules_met = false;
  EXPECT_FALSE(r.relation_met().value());
  r.predicted.rules_met = true;
  r.predicted.value = 1.21;
  EXPECT_FALSE(r.relation_met().value());
}

TEST(GroupStatistics, FollowsTheDefinitions) {
  // Sizes sorted: 1 2 3 10. Median (2 + 3) / 2, mean 16 / 4, p90 the ceil(3.6) = 4th, signed
  // (1 - 2 + 3 - 10) / 4.
  const auto groups = group_statistics({record("g", 1), record("g", -2), record("g", 3),
                                        record("g", -10), record("g", std::nullopt)});
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(groups[0].n, 4U);
  EXPECT_DOUBLE_EQ(groups[0].median_abs_pct, 2.5);
  EXPECT_DOUBLE_EQ(groups[0].mean_abs_pct, 4);
  EXPECT_DOUBLE_EQ(groups[0].p90_abs_pct, 10);
  EXPECT_DOUBLE_EQ(groups[0].mean_signed_pct, -2);
}

TEST(OverallStatistics, WeighsPrimaryGroupsEqually) {
  // Group a has mean size (1 + 3) / 2 = 2, b has 6; the overall is 4 although a has more rows. The
  // state estimate's 50 does not count.
  const auto overall = overall_statistics(
      group_statistics({record("a", 1), record("a", 3), record("b", -6), record(kStateGroup, 50)}));
  EXPECT_EQ(overall.n, 3U);
  EXPECT_DOUBLE_EQ(overall.mean_abs_pct, 4);
  EXPECT_DOUBLE_EQ(overall.mean_signed_pct, -2);  // (2 - 6) / 2
}

}  // namespace
}  // namespace heddle::cli::accuracy
