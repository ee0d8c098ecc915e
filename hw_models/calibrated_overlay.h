#pragma once
// A calibration's values as an overlay.

#include "hw_models/overlay.h"
#include "sim/run/calibrated_values.h"

namespace heddle::hw_models {

/// Every value with kind "calibrated", the source and date of all and its own sigma. An unknown
/// parameter is a mistake of ours (HEDDLE_CHECK).
Overlay overlay_of(const run::CalibratedValues& values);

}  // namespace heddle::hw_models
