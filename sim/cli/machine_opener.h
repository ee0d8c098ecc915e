#pragma once
// A place to run as a machine, or what is wrong with it.

#include <string>

#include "sim/cli/environment.h"
#include "sim/run/machine.h"

namespace heddle::cli {

/// BadInput with everything found wrong, `blame` being what names the choice; doubts are printed.
run::Machine resolve_machine(const run::FabricChoice& choice, const std::string& blame,
                             const run::ReadText& read, const Environment& env);

}  // namespace heddle::cli
