#pragma once
// Values of a foreign configuration, which spells numbers and flags in more ways than a scenario.

#include <cstdint>
#include <optional>
#include <string>

#include "sim/io/json_value.h"

namespace heddle::io {

/// A scalar as a person would write it; "[...]" and "{...}" for the rest.
std::string value_text(const Value& value);
/// true, false, "true", "False", ...; nullopt for anything else.
std::optional<bool> loose_flag(const Value& value);
/// 500000000, 5e8 or "5e8": a whole number; nullopt for anything else.
std::optional<std::int64_t> loose_integer(const Value& value);
std::optional<double> loose_number(const Value& value);
std::string lower_case(std::string text);

}  // namespace heddle::io
