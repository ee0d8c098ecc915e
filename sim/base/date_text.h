#pragma once
// Dates of origins.

#include <string_view>

namespace heddle {

/// "2024-11" or "2024-11-18". Digits and dashes are checked, not the calendar.
bool is_date(std::string_view text);
/// "2024-11-18"
bool is_full_date(std::string_view text);

}  // namespace heddle
