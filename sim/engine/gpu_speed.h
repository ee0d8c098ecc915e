#pragma once
// A GPU slower than its model says: clocks and HBM alike, so a kernel takes 1/speed of its time.

#include <cstdint>
#include <span>

#include "sim/base/int128.h"
#include "sim/base/units.h"

namespace heddle::engine {

/// Of `speeds` by rank, in parts per billion; empty: all at full speed.
inline std::int64_t speed_of(std::span<const std::int64_t> speeds, int rank) {
  return speeds.empty() ? kPpb : speeds[static_cast<std::size_t>(rank)];
}

/// Rounded up. Times beyond the clock: see time_overflow().
inline Duration at_speed(Duration time, std::int64_t speed_ppb) {
  if (speed_ppb == kPpb) return time;
  const Int128 ps = (static_cast<Int128>(time.ps) * kPpb + speed_ppb - 1) / speed_ppb;
  if (ps > INT64_MAX) time_overflow();
  return {static_cast<std::int64_t>(ps)};
}

}  // namespace heddle::engine
