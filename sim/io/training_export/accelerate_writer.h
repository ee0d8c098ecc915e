#pragma once
// FSDP and DDP as the file of `accelerate config` (Accelerate 1.x).

#include <string>

#include "sim/run/scenario.h"

namespace heddle::io {

/// `choice` is ddp, or fsdp with options that accelerate_can_say().
std::string accelerate_yaml(const run::Scenario& scenario, const run::StrategyChoice& choice);

bool accelerate_can_say(const parallel::FsdpOptions& options, const std::string& dialect);

}  // namespace heddle::io
