#pragma once

#include <string_view>

namespace heddle {

/// Part of every result's fingerprint: the same version and scenario give the same bytes.
inline constexpr std::string_view kVersion = "0.1.0";

}  // namespace heddle
