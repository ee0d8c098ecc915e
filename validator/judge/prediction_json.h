#pragma once
// The prediction as it is written before the run it is judged by (heddle.prediction/1), and the
// validation's report (heddle.validation/1). Both are described in validator/README.md.

#include <string>

#include "validator/judge/validation.h"

namespace heddle::judge {

std::string prediction_json(const ValidationPlan& plan, const Validation& state);
std::string validation_json(const ValidationPlan& plan, const Validation& result);

}  // namespace heddle::judge
