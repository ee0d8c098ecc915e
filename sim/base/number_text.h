#pragma once
// A whole text as a number in plain decimal digits: no blank, no '+', nothing behind it.

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace heddle {

/// None if it is anything else or beyond 64 bits.
std::optional<std::int64_t> whole_number(std::string_view text);

/// None also below `low` or above `high`, which an int holds.
std::optional<int> whole_int(std::string_view text,
                             std::int64_t low = std::numeric_limits<int>::min(),
                             std::int64_t high = std::numeric_limits<int>::max());

}  // namespace heddle
