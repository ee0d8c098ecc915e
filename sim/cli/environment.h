#pragma once
// What a verb may touch of the outside world. The program's main fills it from the process, tests
// from string streams and a catalog of their own.

#include <ostream>
#include <string>

#include "sim/run/hardware_catalog.h"

namespace heddle::cli {

struct Environment {
  const run::HardwareCatalog& catalog;
  std::string home;   // holds scenarios/, where named models and accuracy plans are found
  std::ostream& out;  // data only
  std::ostream& err;  // messages
  bool err_is_terminal = false;
};

}  // namespace heddle::cli
