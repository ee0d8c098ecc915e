#pragma once
// The `heddle` program without its process: arguments in, text and an exit status out.

#include "sim/cli/environment.h"

namespace heddle::cli {

/// Never throws: everything that goes wrong is a message on env.err and one of ExitCode's values.
int run_cli(int argc, const char* const* argv, const Environment& env);

}  // namespace heddle::cli
