#include "sim/sweep/axis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/sweep/grid.h"

namespace heddle::sweep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> values(const std::string& text) {
  const auto axis = parse_axis(text);
  EXPECT_TRUE(axis.value) << axis.reason;
  return axis.value ? axis.value->values : std::vector<std::string>{};
}

TEST(Axis, ListsValuesAsWritten) {
  EXPECT_THAT(values("training.micro_batch=1,2,4"), ElementsAre("1", "2", "4"));
  EXPECT_THAT(values("memory_capacity=40 GB,80 GB"), ElementsAre("40 GB", "80 GB"));
  EXPECT_THAT(values("/fabrics/0/gpus=[0,1],[0,4]"), ElementsAre("[0,1]", "[0,4]"));
  EXPECT_THAT(values("name=\"a,b\",c"), ElementsAre("\"a,b\"", "c"));
}

TEST(Axis, SpacesRangesEvenlyWithBothEnds) {
  EXPECT_THAT(values("a=1:4:4"), ElementsAre("1", "2", "3", "4"));
  EXPECT_THAT(values("a=4:1:2"), ElementsAre("4", "1"));
  EXPECT_THAT(values("a=0.1:0.5:5"), ElementsAre("0.1", "0.2", "0.3", "0.4", "0.5"));
  EXPECT_THAT(values("a=40 GB:80 GB:3"), ElementsAre("40 GB", "60 GB", "80 GB"));
  EXPECT_THAT(values("a=1 GB:2 GB:3"), ElementsAre("1 GB", "1.5 GB", "2 GB"));
  EXPECT_THAT(values("a=1%:3%:2"), ElementsAre("1%", "3%"));
}

TEST(Axis, TakesWhatIsNoRangeAsAValue) {
  EXPECT_THAT(values("a=0:0,1:3"), ElementsAre("0:0", "1:3"));  // GPUs of a cluster
}

TEST(Axis, RefusesWithAReason) {
  EXPECT_THAT(parse_axis("1,2").reason, HasSubstr("no path"));
  EXPECT_THAT(parse_axis("a=").reason, HasSubstr("no path"));
  EXPECT_THAT(parse_axis("a=1,,2").reason, HasSubstr("empty"));
  EXPECT_THAT(parse_axis("a=1,1").reason, HasSubstr("twice"));
  EXPECT_THAT(parse_axis("a=1:8:4").reason, HasSubstr("not whole"));
  EXPECT_THAT(parse_axis("a=1:8:1").reason, HasSubstr("from 2"));
  EXPECT_THAT(parse_axis("a=1 GB:8 GiB:4").reason, HasSubstr("different units"));
}

TEST(Grid, VariesTheLastAxisFastest) {
  const Grid grid({{"a", {"1", "2"}}, {"b", {"x", "y", "z"}}});
  ASSERT_EQ(grid.size(), 6U);
  EXPECT_EQ(grid.at(0), (PathValues{{"a", "1"}, {"b", "x"}}));
  EXPECT_EQ(grid.at(2), (PathValues{{"a", "1"}, {"b", "z"}}));
  EXPECT_EQ(grid.at(3), (PathValues{{"a", "2"}, {"b", "x"}}));
}

TEST(Grid, CountsNoFurtherThanItsLimit) {
  const std::vector<std::string> many(kMostValues, "1");
  EXPECT_EQ(Grid({{"a", many}, {"b", many}, {"c", many}, {"d", many}}).size(), kMostPoints + 1);
}

}  // namespace
}  // namespace heddle::sweep
