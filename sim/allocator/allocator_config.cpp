#include "sim/allocator/allocator_config.h"

#include <algorithm>
#include <bit>

namespace heddle::allocator {
namespace {

constexpr Bytes round_up(Bytes bytes, Bytes unit) {
  return {(bytes.value + unit.value - 1) / unit.value * unit.value};
}

std::int64_t divisions_for(Bytes bytes, const AllocatorConfig& config) {
  const auto bits = std::bit_width(static_cast<std::uint64_t>(bytes.value));
  const int interval = std::clamp(static_cast<int>(bits) - 21, 0, kRoundupIntervals - 1);
  return config.roundup_divisions[static_cast<std::size_t>(interval)];
}

/// Up to the next of the `divisions` (a power of two) equal steps between powers of two.
Bytes round_to_division(Bytes bytes, std::int64_t divisions) {
  const auto floor =
      static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(bytes.value)));
  return round_up(bytes, {floor / divisions});
}

}  // namespace

Bytes rounded_size(Bytes bytes, const AllocatorConfig& config) {
  if (bytes < kMinBlock) return kMinBlock;
  const std::int64_t divisions = divisions_for(bytes, config);
  if (divisions > 1 && bytes > kMinBlock * divisions) return round_to_division(bytes, divisions);
  return round_up(bytes, kMinBlock);
}

Bytes segment_size(Bytes rounded) {
  if (is_small(rounded)) return kSmallSegment;
  if (rounded < kMinOwnSegment) return kLargeSegment;
  return round_up(rounded, kLargeRounding);
}

}  // namespace heddle::allocator
