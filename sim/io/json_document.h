#pragma once
// Strict JSON. Where nlohmann/json is lenient, this is not: duplicate keys, numbers that do not
// fit, 1.9 or true where an integer belongs, NaN, trailing text and nesting beyond 64 are
// diagnostics. Every value knows its JSON pointer and line, so that every message can say where.
//
// A reader takes typed fields out of an object (object_reader.h), collecting all problems; finish()
// reports the keys nobody asked for, with the nearest known name.

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/diagnostics.h"
#include "sim/io/json_value.h"
#include "sim/io/object_reader.h"

namespace heddle::io {

inline constexpr std::size_t kMaxJsonBytes = std::size_t{16} << 20;
inline constexpr std::size_t kMaxJsonDepth = 64;
inline constexpr std::size_t kMaxJsonValues = 1'000'000;

/// A parsed file. Copies share the tree.
class JsonDocument {
 public:
  /// nullopt and diagnostics if the text is not strict JSON (an empty file says so).
  static std::optional<JsonDocument> parse(std::string_view text, std::string file,
                                           Diagnostics& out);
  JsonDocument(JsonNode root, std::string file);
  Value root() const;
  const JsonNode& tree() const;
  const std::string& file() const;

 private:
  struct Content;
  std::shared_ptr<const Content> content_;
};

}  // namespace heddle::io
