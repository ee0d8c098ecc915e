#include "sim/sweep/filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/sweep/rows.h"

namespace heddle::sweep {
namespace {

using testing::HasSubstr;

/// A step of 200 ms that needs 40 GB, with micro-batch 2.
bool keeps(const std::string& text,
           const Row& row = small_row(1, "ddp", milliseconds(200), gigabytes(40))) {
  const auto filter = parse_filter(text, columns_of(small_grid(), false));
  EXPECT_TRUE(filter.value) << text << ": " << filter.reason;
  return filter.value && filter.value->keeps(row);
}

TEST(Filter, ComparesTimesBytesAndNumbersInTheirUnits) {
  EXPECT_TRUE(keeps("step_time < 201 ms"));
  EXPECT_FALSE(keeps("step_time_s<200ms"));
  EXPECT_TRUE(keeps("step_time <= 0.2 s"));
  EXPECT_TRUE(keeps("memory == 40 GB"));
  EXPECT_TRUE(keeps("needed > 37 GiB"));  // 39.7 GB
  EXPECT_TRUE(keeps("tokens_per_s >= 5"));
  EXPECT_TRUE(keeps("training.micro_batch != 1"));
}

TEST(Filter, ComparesTexts) {
  EXPECT_TRUE(keeps("strategy == ddp"));
  EXPECT_TRUE(keeps("case == \"here/ddp\""));
  EXPECT_FALSE(keeps("verdict != fits"));
}

TEST(Filter, BindsAndTighterThanOrAndBracketsTighterStill) {
  EXPECT_TRUE(keeps("strategy == ddp or strategy == ddp and mfu > 1"));
  EXPECT_FALSE(keeps("(strategy == ddp or strategy == ddp) and mfu > 1"));
}

TEST(Filter, DropsRefusedCasesWhateverIsComparedOfThem) {
  EXPECT_FALSE(keeps("step_time > 0 s", refused_row(0)));
  EXPECT_FALSE(keeps("step_time != 1 s", refused_row(0)));
  EXPECT_TRUE(keeps("training.micro_batch == 1", refused_row(0)));
}

TEST(Filter, SaysWhatIsWrong) {
  const auto reason = [](const std::string& text) {
    const auto filter = parse_filter(text, columns_of(small_grid(), false));
    EXPECT_FALSE(filter.value) << text;
    return filter.reason + "; " + filter.hint;
  };
  EXPECT_THAT(reason(""), HasSubstr("empty"));
  EXPECT_THAT(reason("step_tme < 1 s"), HasSubstr("\"step_time\""));
  EXPECT_THAT(reason("step_time = 1 s"), HasSubstr("no operator \"=\""));
  EXPECT_THAT(reason("step_time < 200"), HasSubstr("ms"));
  EXPECT_THAT(reason("memory < 80 gb"), HasSubstr("GB"));
  EXPECT_THAT(reason("step_time <"), HasSubstr("no value"));
  EXPECT_THAT(reason("step_time < 1 s and"), HasSubstr("too early"));
  EXPECT_THAT(reason("(step_time < 1 s"), HasSubstr("not closed"));
  EXPECT_THAT(reason("step_time < 1 s mfu"), HasSubstr("nothing is expected"));
  EXPECT_THAT(reason("case == \"a"), HasSubstr("quote"));
  EXPECT_THAT(reason(std::string(100, '(')), HasSubstr("too deep"));
}

}  // namespace
}  // namespace heddle::sweep
