#pragma once
// The version of scenario files that this program reads and writes.

#include <string_view>

namespace heddle::io {

inline constexpr std::string_view kScenarioSchemaName = "heddle.scenario/";
inline constexpr std::string_view kScenarioSchema = "heddle.scenario/1";

}  // namespace heddle::io
