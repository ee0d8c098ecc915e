#pragma once
// YAML to the tree that JSON makes, so that one reader serves both; the only file that knows
// yaml-cpp. Plain scalars are typed as PyYAML's safe_load types them, whose YAML 1.1 Accelerate
// writes and reads: yes/no/on/off are booleans, 5e8 without a point is a string. Anchors, aliases,
// tags and several documents are refused: no launcher writes them.

#include <optional>
#include <string>
#include <string_view>

#include "sim/base/diagnostics.h"
#include "sim/io/json_node.h"

namespace heddle::io {

inline constexpr std::size_t kMaxYamlBytes = std::size_t{1} << 20;
inline constexpr std::size_t kMaxYamlDepth = 32;

/// nullopt after at least one error.
std::optional<JsonNode> parse_yaml(std::string_view text, const std::string& file,
                                   Diagnostics& out);

}  // namespace heddle::io
