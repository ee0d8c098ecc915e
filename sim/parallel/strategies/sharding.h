#pragma once
// Shares of one rank.

#include <cstdint>

namespace heddle::parallel {

/// ceil(elements / ranks): what a rank holds of a tensor padded to a multiple of the ranks.
constexpr std::int64_t shard_elements(std::int64_t elements, int ranks) {
  return (elements + ranks - 1) / ranks;
}

}  // namespace heddle::parallel
