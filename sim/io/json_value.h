#pragma once
// A value inside a JSON document that knows its place, with typed access that never converts: the
// wrong kind or range is a diagnostic at the value's pointer and line.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/base/units_text.h"

namespace heddle::io {

struct JsonNode;  // a parsed value: kind, text or number, children, line

enum class JsonKind { kNull, kBool, kInteger, kReal, kString, kArray, kObject };
std::string_view to_string(JsonKind kind);

/// `key` as one reference token of a JSON pointer, with its slash ("a/b" gives "/a~1b", RFC 6901).
std::string pointer_token(std::string_view key);

/// Cheap to copy; valid while its document (or a copy of it) lives.
class Value {
 public:
  JsonKind kind() const;
  int line() const;
  const std::string& pointer() const { return pointer_; }
  const std::string& file() const { return *file_; }
  bool is_null() const { return kind() == JsonKind::kNull; }

  /// Typed access; the wrong kind or range is a diagnostic and nullopt.
  std::optional<std::int64_t> as_integer(std::int64_t low, std::int64_t high,
                                         Diagnostics& out) const;
  std::optional<double> as_number(double low, double high, Diagnostics& out) const;
  std::optional<bool> as_bool(Diagnostics& out) const;
  std::optional<std::string> as_string(Diagnostics& out) const;
  std::optional<Bytes> as_bytes(Diagnostics& out) const;          // "85.1 GB"
  std::optional<Bandwidth> as_bandwidth(Diagnostics& out) const;  // "25 GB/s"
  std::optional<Duration> as_duration(Diagnostics& out) const;    // "12 us"
  std::optional<FlopRate> as_flop_rate(Diagnostics& out) const;   // "989 TFLOP/s"
  std::vector<Value> items(Diagnostics& out) const;               // array, else diagnostic
  std::vector<std::string> keys() const;                          // object's, in file order
  /// The member of that name, nullopt if absent or if this is no object.
  std::optional<Value> member(std::string_view key) const;
  /// An error at this value.
  void error(std::string code, std::string message, std::string hint, Diagnostics& out) const;

 private:
  friend class JsonDocument;
  friend std::string json_text(const Value& value);  // json_text.h
  Value(const JsonNode* node, const std::string* file, std::string pointer)
      : node_(node), file_(file), pointer_(std::move(pointer)) {}
  bool expect(JsonKind kind, std::string_view wanted, Diagnostics& out) const;
  /// Text of a scalar as a quantity parser should see it; nullopt and a diagnostic for the rest.
  std::optional<std::string> quantity_text(Diagnostics& out) const;
  /// `positive` is the hint for a negative quantity.
  template <typename T>
  std::optional<T> as_quantity(Parsed<T> (*parse)(std::string_view), std::string_view positive,
                               Diagnostics& out) const;

  const JsonNode* node_ = nullptr;
  const std::string* file_ = nullptr;
  std::string pointer_;
};

}  // namespace heddle::io
