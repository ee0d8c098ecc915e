#pragma once
// Why something could not be measured, or what was measured wrong. A value: the subject failing is
// an expected outcome of a measurement, not an exception.

#include <cstdint>
#include <string>
#include <string_view>

namespace heddle::device {

enum class FailureKind : std::uint8_t {
  kOutOfMemory,  // text says need and free
  kAsyncError,   // the device or its library reported one
  kWrongData,    // a collective's result is not what it must be
  kMismatch,     // ranks do not agree on what they run
  kTimeout,      // a deadline passed
  kAborted,      // told to stop; the cause is another rank's
};
std::string_view to_string(FailureKind kind);  // "out of memory", "asynchronous error", ...

struct Failure {
  FailureKind kind = FailureKind::kAsyncError;
  std::string text;

  friend bool operator==(const Failure&, const Failure&) = default;
};

}  // namespace heddle::device
