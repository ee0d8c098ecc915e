#pragma once
// The JSON Schema of scenarios with blanks, written @name@, for limits and lists of names.

#include <string_view>

namespace heddle::io {

std::string_view scenario_schema_template();

}  // namespace heddle::io
