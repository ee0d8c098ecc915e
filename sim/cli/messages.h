#pragma once
// Diagnostics as the user reads them.

#include <ostream>
#include <string>

#include "sim/base/diagnostics.h"

namespace heddle::cli {

/// Those at least as severe as `least`, in the order found.
void print_diagnostics(const Diagnostics& diagnostics, Severity least, std::ostream& out);
/// "2 errors, 1 warning, 3 notes"; "nothing to report" if there is none.
std::string count_text(const Diagnostics& diagnostics);

}  // namespace heddle::cli
