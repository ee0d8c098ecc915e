#pragma once
// The tree behind JsonDocument. Plain data; readers use Value, only the parser and the overrides
// touch nodes.

#include <cstdint>
#include <string>
#include <vector>

#include "sim/io/json_value.h"

namespace heddle::io {

struct JsonNode {
  JsonKind kind = JsonKind::kNull;
  int line = 0;  // 1-based; 0 for values that did not come from the file (overrides)
  union {
    std::int64_t integer = 0;
    double real;
    bool boolean;
  };
  std::string text;                // kString
  std::vector<std::string> keys;   // kObject: in file order, keys[i] names children[i]
  std::vector<JsonNode> children;  // kArray, kObject
};

}  // namespace heddle::io
