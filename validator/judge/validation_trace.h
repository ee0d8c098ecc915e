#pragma once
// Predicted above measured as one Chrome trace, which Perfetto (ui.perfetto.dev) opens: a process
// per predicted class and per measured rank, the begin of the last step at zero on all of them.

#include <string>

#include "validator/judge/validation.h"

namespace heddle::judge {

/// `result` must hold a measurement.
std::string validation_trace(const ValidationPlan& plan, const Validation& result);

}  // namespace heddle::judge
