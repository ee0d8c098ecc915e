#pragma once
// Takes fields out of a JSON object one by one and afterwards knows which keys nobody asked for.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/io/json_value.h"

namespace heddle::io {

class ObjectReader {
 public:
  /// Not an object: a diagnostic, and every field is then missing without further noise.
  ObjectReader(const Value& object, Diagnostics& out);
  /// The field if present (null counts as present), marking it known.
  std::optional<Value> optional(std::string_view key);
  /// The same, with a "missing-key" diagnostic at the object if absent.
  std::optional<Value> required(std::string_view key);
  /// Reports every key not asked for, with the nearest of those that were.
  void finish();
  /// Keys not asked for, for foreign files that only list them.
  std::vector<std::string> unused() const;
  const Value& object() const { return object_; }

 private:
  Value object_;
  Diagnostics& out_;
  std::vector<std::string> known_;
  bool usable_ = false;
};

}  // namespace heddle::io
