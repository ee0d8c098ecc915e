#pragma once
// Always-on invariants. A failing HEDDLE_CHECK is our bug, never the user's: bad input is reported
// through Diagnostics (diagnostics.h), a broken environment through Error (error.h).

#include <stdexcept>
#include <string>

namespace heddle {

/// Thrown when an invariant of the program itself does not hold. The mains turn it into exit 70.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void check_failed(const char* expression, const char* file, int line,
                               const std::string& detail);

}  // namespace heddle

/// Checks in every build type. `detail` is evaluated only on failure.
#define HEDDLE_CHECK(condition, detail)                                 \
  do {                                                                  \
    if (!(condition)) [[unlikely]] {                                    \
      ::heddle::check_failed(#condition, __FILE__, __LINE__, (detail)); \
    }                                                                   \
  } while (false)
