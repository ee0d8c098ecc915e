#include "sim/io/json_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sim/io/json_node.h"

namespace heddle::io {
namespace {

template <typename T>
std::string range_text(T low, T high) {
  if (high == std::numeric_limits<T>::max()) return fmt::format("at least {}", low);
  return fmt::format("between {} and {}", low, high);
}

template <typename T>
std::string range_hint(std::string_view what, T low, T high) {
  if (high == std::numeric_limits<T>::max()) return fmt::format("give {} of {} or more", what, low);
  return fmt::format("give {} from {} to {}", what, low, high);
}

/// "1.0" for one, so that it does not look like the integer it is not.
std::string real_text(double number) {
  std::string text = fmt::format("{}", number);
  const bool looks_whole = text.find_first_not_of("-0123456789") == std::string::npos;
  return looks_whole ? text + ".0" : text;
}

/// How a value of the wanted kind is written.
std::string kind_hint(JsonKind wanted) {
  switch (wanted) {
    case JsonKind::kNull:
      return "write null";
    case JsonKind::kBool:
      return "write true or false, without quotes";
    case JsonKind::kInteger:
      return "write a whole number, without quotes";
    case JsonKind::kReal:
      return "write a number, without quotes";
    case JsonKind::kString:
      return "write it in double quotes";
    case JsonKind::kArray:
      return "write a list in brackets: [...]";
    case JsonKind::kObject:
      return "write an object in braces: {...}";
  }
  return "";
}

std::string with_article(std::string_view noun) {
  const bool vowel = noun.starts_with('a') || noun.starts_with('i') || noun.starts_with('o');
  return fmt::format("{} {}", vowel ? "an" : "a", noun);
}

}  // namespace

std::string_view to_string(JsonKind kind) {
  switch (kind) {
    case JsonKind::kNull:
      return "null";
    case JsonKind::kBool:
      return "boolean";
    case JsonKind::kInteger:
      return "integer";
    case JsonKind::kReal:
      return "number";
    case JsonKind::kString:
      return "string";
    case JsonKind::kArray:
      return "array";
    case JsonKind::kObject:
      return "object";
  }
  return "";
}

std::string pointer_token(std::string_view key) {
  std::string out = "/";
  for (const char c : key) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

JsonKind Value::kind() const {
  return node_->kind;
}

int Value::line() const {
  return node_->line;
}

bool Value::expect(JsonKind wanted_kind, std::string_view wanted, Diagnostics& out) const {
  if (kind() == wanted_kind) return true;
  const std::string is = is_null() ? "null" : with_article(to_string(kind()));
  error("wrong-type", fmt::format("must be {}, is {}", with_article(wanted), is),
        kind_hint(wanted_kind), out);
  return false;
}

std::optional<std::int64_t> Value::as_integer(std::int64_t low, std::int64_t high,
                                              Diagnostics& out) const {
  if (kind() == JsonKind::kReal) {
    error("wrong-type", fmt::format("must be an integer, is {}", real_text(node_->real)),
          "write it without a decimal point or exponent", out);
    return std::nullopt;
  }
  if (!expect(JsonKind::kInteger, "integer", out)) return std::nullopt;
  if (node_->integer < low || node_->integer > high) {
    error("out-of-range", fmt::format("must be {}, is {}", range_text(low, high), node_->integer),
          range_hint("a whole number", low, high), out);
    return std::nullopt;
  }
  return node_->integer;
}

std::optional<double> Value::as_number(double low, double high, Diagnostics& out) const {
  const bool integer = kind() == JsonKind::kInteger;
  if (!integer && !expect(JsonKind::kReal, "number", out)) return std::nullopt;
  const double number = integer ? static_cast<double>(node_->integer) : node_->real;
  if (number < low || number > high) {
    error("out-of-range", fmt::format("must be {}, is {}", range_text(low, high), number),
          range_hint("a number", low, high), out);
    return std::nullopt;
  }
  return number;
}

std::optional<bool> Value::as_bool(Diagnostics& out) const {
  if (!expect(JsonKind::kBool, "boolean", out)) return std::nullopt;
  return node_->boolean;
}

std::optional<std::string> Value::as_string(Diagnostics& out) const {
  if (!expect(JsonKind::kString, "string", out)) return std::nullopt;
  return node_->text;
}

std::optional<std::string> Value::quantity_text(Diagnostics& out) const {
  if (kind() == JsonKind::kInteger) return fmt::format("{}", node_->integer);
  if (kind() == JsonKind::kReal) return fmt::format("{}", node_->real);
  if (!expect(JsonKind::kString, "string with a unit", out)) return std::nullopt;
  return node_->text;
}

template <typename T>
std::optional<T> Value::as_quantity(Parsed<T> (*parse)(std::string_view), std::string_view positive,
                                    Diagnostics& out) const {
  const std::optional<std::string> text = quantity_text(out);
  if (!text) return std::nullopt;
  Parsed<T> parsed = parse(*text);
  if (parsed.value) return parsed.value;
  if (parsed.hint.empty()) parsed.hint = text->starts_with('-') ? positive : "give a smaller value";
  error("bad-quantity", std::move(parsed.reason), std::move(parsed.hint), out);
  return parsed.value;
}

std::optional<Bytes> Value::as_bytes(Diagnostics& out) const {
  return as_quantity(&parse_bytes, "sizes are positive, e.g. \"80 GB\"", out);
}

std::optional<Bandwidth> Value::as_bandwidth(Diagnostics& out) const {
  return as_quantity(&parse_bandwidth, "bandwidths are positive, e.g. \"25 GB/s\"", out);
}

std::optional<Duration> Value::as_duration(Diagnostics& out) const {
  return as_quantity(&parse_duration, "durations are positive, e.g. \"5 us\"", out);
}

std::optional<FlopRate> Value::as_flop_rate(Diagnostics& out) const {
  return as_quantity(&parse_flop_rate, "rates are positive, e.g. \"989 TFLOP/s\"", out);
}

std::vector<Value> Value::items(Diagnostics& out) const {
  std::vector<Value> found;
  if (!expect(JsonKind::kArray, "array", out)) return found;
  found.reserve(node_->children.size());
  for (std::size_t i = 0; i < node_->children.size(); ++i) {
    found.push_back({&node_->children[i], file_, fmt::format("{}/{}", pointer_, i)});
  }
  return found;
}

std::vector<std::string> Value::keys() const {
  return node_->keys;
}

std::optional<Value> Value::member(std::string_view key) const {
  const auto found = std::find(node_->keys.begin(), node_->keys.end(), key);
  if (found == node_->keys.end()) return std::nullopt;
  const auto index = static_cast<std::size_t>(found - node_->keys.begin());
  return Value(&node_->children[index], file_, pointer_ + pointer_token(key));
}

void Value::error(std::string code, std::string message, std::string hint, Diagnostics& out) const {
  out.error(std::move(code), *file_, pointer_, line(), std::move(message), std::move(hint));
}

}  // namespace heddle::io
