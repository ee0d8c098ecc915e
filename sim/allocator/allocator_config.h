#pragma once
// The knobs of PyTorch's CUDA caching allocator and the sizes that follow from them alone.
// Source: c10/cuda/CUDACachingAllocator.cpp and CUDAAllocatorConfig.cpp of PyTorch 2.5.

#include <array>
#include <cstdint>
#include <limits>

#include "sim/base/units.h"

namespace heddle::allocator {

inline constexpr Bytes kMinBlock{512};           // every size is a multiple of it
inline constexpr Bytes kSmallSize{1 << 20};      // largest request of the small pool
inline constexpr Bytes kSmallSegment{2 << 20};   // segment (or page) of the small pool
inline constexpr Bytes kLargeSegment{20 << 20};  // segment (or page) of the large pool
inline constexpr Bytes kMinOwnSegment{10
                                      << 20};    // from here on a request gets a segment of its own
inline constexpr Bytes kLargeRounding{2 << 20};  // whose size is a multiple of this
inline constexpr Bytes kUnlimited{std::numeric_limits<std::int64_t>::max()};
inline constexpr int kRoundupIntervals = 16;

struct AllocatorConfig {
  bool expandable_segments = false;
  Bytes max_split_size = kUnlimited;  // blocks from here on are "oversize"
  Bytes max_non_split_rounding =
      kLargeSegment;  // an oversize block fits requests this much smaller
  /// Divisions between powers of two for sizes from 2^i to 2^(i+1) MiB; the ends stand for all
  /// sizes beyond. 0 and 1: none.
  std::array<std::int64_t, kRoundupIntervals> roundup_divisions{};
  /// Share of what the process may use (memory_fraction) above which cached segments are collected;
  /// 0: never.
  double garbage_collection_threshold = 0;
  /// torch.cuda.set_per_process_memory_fraction(); 0: not called. Garbage is collected only when it
  /// was.
  double memory_fraction = 0;

  friend bool operator==(const AllocatorConfig&, const AllocatorConfig&) = default;
};

/// What a request of `bytes` (positive) occupies.
Bytes rounded_size(Bytes bytes, const AllocatorConfig& config);
/// What is asked of the device for a rounded size that no cached block fits.
Bytes segment_size(Bytes rounded);

constexpr bool is_small(Bytes rounded) {
  return rounded <= kSmallSize;
}

}  // namespace heddle::allocator
