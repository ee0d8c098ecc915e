#pragma once
// A scenario back into a file, with every default spelt out: write(read(write(s))) == write(s), and
// both run to the same fingerprint.

#include <string>

#include "sim/run/scenario.h"

namespace heddle::io {

/// Names of files stay relative to the folder of the scenario that was read.
std::string write_scenario(const run::Scenario& scenario);

}  // namespace heddle::io
