#include "sim/cli/calibrate_report.h"

#include <gtest/gtest.h>

namespace heddle::cli {
namespace {

TEST(CalibrateReport, SaysWhenTheSearchDidNotSettle) {
  const SweepCollection none;
  fit::Calibration calibration;
  const auto says = [&] {
    const std::string text = calibration_text({none, calibration, "machine"});
    return text.find("not settled") != std::string::npos;
  };
  EXPECT_FALSE(says());
  calibration.converged = false;
  EXPECT_TRUE(says());
}

}  // namespace
}  // namespace heddle::cli
