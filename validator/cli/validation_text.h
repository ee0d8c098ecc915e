#pragma once
// A validation as the terminal shows it.

#include <string>

#include "sim/cli/exit_code.h"
#include "validator/judge/validation.h"

namespace heddle::validator_cli {

std::string validation_text(const judge::ValidationPlan& plan, const judge::Validation& result);

/// What the shell sees of it.
cli::ExitCode exit_code_of(const judge::Validation& result);

}  // namespace heddle::validator_cli
