#pragma once
// What a calibration found, as text for a terminal.

#include <string>

#include "sim/cli/calibrate_sweeps.h"
#include "sim/fit/calibration.h"

namespace heddle::cli {

struct CalibrationReport {
  const SweepCollection& collection;
  const fit::Calibration& calibration;
  std::string machine;
};

/// "3 sweeps, 84 rows of a.txt, b.txt; NCCL 2.23.4"
std::string measured_with(const SweepCollection& collection);

/// Parameters with prior, fitted value and error bar, what is not determined and why, residuals by
/// size, outliers.
std::string calibration_text(const CalibrationReport& report);

/// A parameter's value in the unit it is shown in: "89.3 %", "10.4 GB/s", "2.5 us".
std::string parameter_text(const fit::CommParameter& parameter, double value);

}  // namespace heddle::cli
