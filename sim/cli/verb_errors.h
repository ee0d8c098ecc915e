#pragma once
// How a verb ends early. Both are the user's to mend, so both carry everything to be shown.

#include <stdexcept>
#include <string>
#include <utility>

#include "sim/base/diagnostics.h"

namespace heddle::cli {

/// The command line makes no sense: exit 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An input file is missing or faulty: exit 3, with every problem found.
class BadInput : public std::runtime_error {
 public:
  explicit BadInput(Diagnostics diagnostics)
      : std::runtime_error("bad input"), diagnostics_(std::move(diagnostics)) {}
  const Diagnostics& diagnostics() const { return diagnostics_; }

 private:
  Diagnostics diagnostics_;
};

}  // namespace heddle::cli
