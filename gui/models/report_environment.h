#pragma once
// Where and how a validation was made, as lines for a person: whatever the report says of its
// machine, also what later backends add.

#include <string>
#include <utility>
#include <vector>

#include "sim/io/json_value.h"

namespace heddle::gui {

/// Of a report's root. A heading has no value.
std::vector<std::pair<std::string, std::string>> report_environment(const io::Value& root);

}  // namespace heddle::gui
