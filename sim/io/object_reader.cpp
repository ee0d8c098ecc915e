#include "sim/io/object_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/nearest_name.h"

namespace heddle::io {

ObjectReader::ObjectReader(const Value& object, Diagnostics& out)
    : object_(object), out_(out), usable_(object.kind() == JsonKind::kObject) {
  if (usable_) return;
  object_.error("wrong-type",
                fmt::format("must be an object, is of type {}", to_string(object_.kind())),
                "write an object in braces: {...}", out_);
}

std::optional<Value> ObjectReader::optional(std::string_view key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  if (!usable_) return std::nullopt;
  return object_.member(key);
}

std::optional<Value> ObjectReader::required(std::string_view key) {
  std::optional<Value> value = optional(key);
  if (usable_ && !value) {
    object_.error("missing-key", fmt::format("key \"{}\" is missing", key),
                  fmt::format("add \"{}\" to this object", key), out_);
  }
  return value;
}

void ObjectReader::finish() {
  constexpr std::size_t kShown = 20;  // more would bury the rest of the messages
  const std::vector<std::string> unknown = unused();
  for (std::size_t i = 0; i < std::min(unknown.size(), kShown); ++i) {
    object_.member(unknown[i])
        ->error("unknown-key", fmt::format("unknown key \"{}\"", unknown[i]),
                suggest_name(unknown[i], known_), out_);
  }
  if (unknown.size() > kShown) {
    object_.error("unknown-key", fmt::format("{} more unknown keys", unknown.size() - kShown), "",
                  out_);
  }
}

std::vector<std::string> ObjectReader::unused() const {
  std::vector<std::string> out;
  if (!usable_) return out;
  for (std::string& key : object_.keys()) {
    if (std::find(known_.begin(), known_.end(), key) == known_.end()) out.push_back(std::move(key));
  }
  return out;
}

}  // namespace heddle::io
