#pragma once
// Where time comes from: the machine's steady clock, or a test's own.

#include <cstdint>

namespace heddle::device {

class Clock {
 public:
  virtual ~Clock() = default;
  /// Nanoseconds since some moment; never goes back. Ranks on one machine share it.
  virtual std::int64_t now_ns() const = 0;
  /// Gives the processor to others for about that long.
  virtual void sleep_ns(std::int64_t ns) const = 0;
};

const Clock& steady_clock();

}  // namespace heddle::device
