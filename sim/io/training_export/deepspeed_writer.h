#pragma once
// ZeRO as DeepSpeed's ds_config.json (DeepSpeed 0.15.4).

#include <string>

#include "sim/run/scenario.h"

namespace heddle::io {

/// `choice` is one of zero1, zero2 and zero3 in the deepspeed dialect.
std::string deepspeed_json(const run::Scenario& scenario, const run::StrategyChoice& choice);

}  // namespace heddle::io
