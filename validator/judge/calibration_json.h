#pragma once
// heddle.calibration/1: times in seconds, sizes in bytes, sigmas relative.

#include <optional>
#include <string>

#include "sim/base/diagnostics.h"
#include "validator/judge/calibration.h"

namespace heddle::judge {

std::string calibration_json(const Calibration& calibration);
std::optional<Calibration> read_calibration(const std::string& text, const std::string& file,
                                            Diagnostics& out);
/// The collectives as nccl-tests would print them, for whoever reads its output: heddle calibrate
/// --from-nccl-tests makes an overlay of it.
std::string nccl_tests_text(const Calibration& calibration);

}  // namespace heddle::judge
