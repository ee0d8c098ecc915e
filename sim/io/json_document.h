#pragma once
// Strict JSON. Where nlohmann/json is lenient, this is not: duplicate keys, numbers that do not
// fit, 1.9 or true where an integer belongs, NaN, trailing text and nesting beyond 64 are
// diagnostics. Every value knows its JSON pointer and line, so that every message can say where.
//
// A reader takes typed fields out of an object, collecting all problems; finish() reports the keys
// nobody asked for, with the nearest known name.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/base/units_text.h"

namespace heddle::io {

struct JsonNode;  // a parsed value: kind, text or number, children, line

/// A parsed file. Copies share the tree.
class JsonDocument {
 public:
  /// nullopt and diagnostics if the text is not strict JSON (an empty file says so).
  static std::optional<JsonDocument> parse(std::string_view text, std::string file,
                                           Diagnostics& out);
  class Value root() const;
  const std::string& file() const { return file_; }

 private:
  std::string file_;
  std::shared_ptr<const JsonNode> root_;
};

enum class JsonKind { kNull, kBool, kInteger, kReal, kString, kArray, kObject };
std::string_view to_string(JsonKind kind);

/// A value inside a document, with its place. Cheap to copy; valid while its document lives.
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
  /// An error at this value.
  void error(std::string code, std::string message, std::string hint, Diagnostics& out) const;

 private:
  friend class JsonDocument;
  friend class ObjectReader;
  const JsonNode* node_ = nullptr;
  const std::string* file_ = nullptr;
  std::string pointer_;
};

/// Field by field out of an object.
class ObjectReader {
 public:
  /// Not an object: a diagnostic, and every field is then missing without further noise.
  ObjectReader(const Value& object, Diagnostics& out);
  /// The field if present (null counts as present), marking it known.
  std::optional<Value> optional(std::string_view key);
  /// The same, with a "missing-key" diagnostic at the object if absent.
  std::optional<Value> required(std::string_view key);
  /// Reports every key not asked for.
  void finish();
  /// Keys not asked for, for foreign files that only list them.
  std::vector<std::string> unused() const;

 private:
  Value object_;
  Diagnostics& out_;
  std::vector<std::string> known_;
  bool usable_ = false;
};

}  // namespace heddle::io
