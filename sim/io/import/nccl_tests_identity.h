#pragma once
// Which collective a sweep measured and on how many ranks, concluded from the ratio of its two
// bandwidth columns, f(n), and from which columns it has.

#include <optional>
#include <string>
#include <vector>

#include "sim/io/import/nccl_tests.h"

namespace heddle::io {

/// The values that busbw / algbw can have behind the printed digits, over all rows.
struct RatioRange {
  double low = 0;
  double high = 0;
};
/// None if no row prints both above zero, or the rows contradict each other.
std::optional<RatioRange> ratio_range(const NcclTestsSweep& sweep);

/// Middle (of an even number, the upper) of busbw / algbw over rows of at least 1 GB/s, or over
/// all rows where none is so fast.
std::optional<double> median_ratio(const NcclTestsSweep& sweep);

/// The collectives the table can be of; one if it is decided.
std::vector<std::string> possible_collectives(const NcclTestsSweep& sweep, const RatioRange& ratio);

/// The only number of ranks with a ratio inside the range; none if several or none fit, or if the
/// collective's ratio does not depend on it.
std::optional<int> ranks_from_ratio(const std::string& collective, const RatioRange& ratio);

/// "/opt/all_reduce_perf" or "all_reduce_perf" -> "all_reduce"; empty for other words.
std::string collective_of_program(std::string_view word);

}  // namespace heddle::io
