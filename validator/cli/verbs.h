#pragma once
// The verbs of the validator, for the program's main to join to those of the simulation.

#include "sim/cli/verbs.h"

namespace heddle::validator_cli {

void add_validate(CLI::App& app, const cli::Environment& env, cli::Action& action);
/// Adds --backend to the verb `calibrate`, which must be there.
void add_calibrate_backend(CLI::App& app, const cli::Environment& env, cli::Action& action);
void add_gpu_check(CLI::App& app, const cli::Environment& env, cli::Action& action);
void add_compare(CLI::App& app, const cli::Environment& env, cli::Action& action);

}  // namespace heddle::validator_cli
