#pragma once
// Failures of the environment (a file that cannot be read, a disk that is full). Thrown by the
// module that meets them, caught only in the mains. Bad *input* is a Diagnostic instead.

#include <stdexcept>
#include <string>

namespace heddle {

enum class ErrorKind {
  kCannotRead,   // mains: exit 3
  kCannotWrite,  // mains: exit 6
  kUnsupported,  // mains: exit 4
  kRunFailed,    // mains: exit 5
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace heddle
