#pragma once
// What ends a verb on the command line, as diagnostics for the window.

#include <exception>
#include <string>

#include "sim/base/diagnostics.h"

namespace heddle::gui {

/// Of a job on `file` that threw.
Diagnostics explain_failure(const std::exception_ptr& failure, const std::string& file);

}  // namespace heddle::gui
