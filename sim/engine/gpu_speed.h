#pragma once
// A GPU slower than its model says: clocks and HBM alike, so a kernel takes 1/speed of its time.

#include <cstdint>
#include <span>

#include "sim/base/int128.h"
#include "sim/base/units.h"

namespace heddle::engine {

inline constexpr std::int64_t kFullSpeed = 1'000'000'000;  // speeds are parts per billion

/// `speeds` by rank; empty: all at full speed.
inline std::int64_t speed_of(std::span<const std::int64_t> speeds, int rank) {
  return speeds.empty() ? kFullSpeed : speeds[static_cast<std::size_t>(rank)];
}

/// Rounded up. Times beyond the clock: see time_overflow().
inline Duration at_speed(Duration time, std::int64_t speed_ppb) {
  if (speed_ppb == kFullSpeed) return time;
  const Int128 ps = (static_cast<Int128>(time.ps) * kFullSpeed + speed_ppb - 1) / speed_ppb;
  if (ps > INT64_MAX) time_overflow();
  return {static_cast<std::int64_t>(ps)};
}

}  // namespace heddle::engine
