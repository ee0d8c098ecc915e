#pragma once
// The `heddle` program without its process: arguments in, text and an exit status out.

#include <span>

#include "sim/cli/environment.h"
#include "sim/cli/verbs.h"

namespace heddle::cli {

/// Never throws: everything that goes wrong is a message on env.err and one of ExitCode's values.
/// `more` are verbs of parts that this one must not know; only the program's main does.
int run_cli(int argc, const char* const* argv, const Environment& env,
            std::span<const AddVerb> more = {});

}  // namespace heddle::cli
