#pragma once
// Shares of one rank.

#include <cstdint>

namespace heddle::parallel {

inline constexpr std::int64_t kLowBytes = 2;     // per element of bf16 weights and gradients
inline constexpr std::int64_t kMasterBytes = 4;  // per element of fp32 master weights and moments

constexpr std::int64_t round_up(std::int64_t value, std::int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

/// ceil(elements / ranks): what a rank holds of a tensor padded to a multiple of the ranks.
constexpr std::int64_t shard_elements(std::int64_t elements, int ranks) {
  return (elements + ranks - 1) / ranks;
}

}  // namespace heddle::parallel
