#pragma once
// Text to tree; the only file of this module that knows nlohmann/json.

#include <optional>
#include <string>
#include <string_view>

#include "sim/base/diagnostics.h"
#include "sim/io/json_node.h"

namespace heddle::io {

/// All problems that the syntax allows to go past (duplicate keys, integers that do not fit) are
/// collected; nullopt if there was any.
std::optional<JsonNode> parse_json(std::string_view text, const std::string& file,
                                   Diagnostics& out);

}  // namespace heddle::io
