#include "validator/device/failure.h"

#include <array>

#include "sim/base/check.h"

namespace heddle::device {

std::string_view to_string(FailureKind kind) {
  static constexpr std::array<std::string_view, 6> kNames{
      "out of memory", "asynchronous error", "wrong data", "mismatch", "timeout", "aborted"};
  const auto index = static_cast<std::size_t>(kind);
  HEDDLE_CHECK(index < kNames.size(), "enumerator without a name");
  return kNames[index];
}

}  // namespace heddle::device
