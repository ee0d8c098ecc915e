#include "validator/cli/lane_drawing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::validator_cli {
namespace {

using judge::ReportLanes;
using ::testing::HasSubstr;
using ::testing::Not;

/// One kernel: predicted from 0 to 5 ms of a step of 10, measured to 10.
ReportLanes one_kernel() {
  ReportLanes lanes;
  lanes.predicted = {{0, 2, "compute", {{7, 0, 0.005}}}};
  lanes.measured = {{0, 1, "compute", {{7, 0, 0.010}}}, {1, 1, "compute", {{7, 0.005, 0.010}}}};
  lanes.ops = {{7, "mlp <up>", "forward", 0, "gemm"}};
  return lanes;
}

/// 1000 units wide: half a step is 500. A predicted lane stands for both ranks.
TEST(LaneDrawing, DrawsPredictedAboveMeasuredOnOneAxis) {
  const std::string drawing = lane_drawing(one_kernel());
  EXPECT_THAT(drawing, HasSubstr("x=\"0.00\" y=\"0\" width=\"500.00\""));
  EXPECT_THAT(drawing, HasSubstr("x=\"0.00\" y=\"14\" width=\"1000.00\""));
  EXPECT_THAT(drawing, HasSubstr("x=\"0.00\" y=\"38\" width=\"500.00\""));
  EXPECT_THAT(drawing, HasSubstr("x=\"500.00\" y=\"52\" width=\"500.00\""));
  EXPECT_THAT(drawing, HasSubstr("gemm mlp &lt;up&gt;, forward, op 7, measured: 10.0 ms from 0"));
  EXPECT_THAT(drawing, HasSubstr(">10.0 ms</span>"));
}

TEST(LaneDrawing, SaysWhichRanksAreLeftOut) {
  ReportLanes lanes = one_kernel();
  EXPECT_THAT(lane_drawing(lanes), Not(HasSubstr("not drawn")));
  lanes.measured.push_back({8, 1, "compute", {{7, 0, 0.010}}});
  EXPECT_THAT(lane_drawing(lanes), HasSubstr("Ranks from 8 on are not drawn"));
}

TEST(LaneDrawing, OfNothingIsNothing) {
  EXPECT_EQ(lane_drawing({}), "");
}

}  // namespace
}  // namespace heddle::validator_cli
