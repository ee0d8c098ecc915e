#include "sim/io/hf_fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace heddle::io {
namespace {

constexpr char kUnsupported[] = "unsupported-model";

}  // namespace

std::int64_t HfFields::integer(std::string_view key, std::int64_t low, std::int64_t high) {
  const std::optional<Value> value = object_.required(key);
  return value ? value->as_integer(low, high, out_).value_or(0) : 0;
}

std::int64_t HfFields::integer_or(std::string_view key, std::int64_t low, std::int64_t high,
                                  std::int64_t derived, std::string origin) {
  if (const std::optional<Value> value = present(key)) {
    return value->as_integer(low, high, out_).value_or(0);
  }
  // 0 means that what it would be derived from is already reported.
  if (derived > 0) derive(key, std::to_string(derived), std::move(origin));
  return derived;
}

double HfFields::number_or(std::string_view key, double low, double high, double derived,
                           std::string origin) {
  if (const std::optional<Value> value = present(key)) {
    return value->as_number(low, high, out_).value_or(derived);
  }
  derive(key, fmt::format("{}", derived), std::move(origin));
  return derived;
}

bool HfFields::flag_or(std::string_view key, bool derived, std::string origin) {
  if (const std::optional<Value> value = present(key)) {
    return value->as_bool(out_).value_or(derived);
  }
  derive(key, derived ? "true" : "false", std::move(origin));
  return derived;
}

void HfFields::refuse(std::string_view key, std::string_view reason, std::string hint) {
  if (const std::optional<Value> value = present(key)) {
    value->error(kUnsupported, fmt::format("\"{}\" is not supported: {}", key, reason),
                 std::move(hint), out_);
  }
}

void HfFields::only(std::string_view key, bool allowed, std::string_view reason) {
  const std::optional<Value> value = present(key);
  if (!value) return;
  const std::optional<bool> flag = value->as_bool(out_);
  if (!flag || *flag == allowed) return;
  value->error(kUnsupported, fmt::format("\"{}\": {} is not supported: {}", key, *flag, reason),
               fmt::format("only {} is modelled", allowed), out_);
}

void HfFields::only_number(std::string_view key, double allowed, std::string_view reason) {
  constexpr double kAny = 1e9;
  const std::optional<Value> value = present(key);
  if (!value) return;
  const std::optional<double> number = value->as_number(-kAny, kAny, out_);
  if (!number || *number == allowed) return;
  value->error(kUnsupported, fmt::format("\"{}\" must be {}: {}", key, allowed, reason),
               fmt::format("only {} is modelled", allowed), out_);
}

std::size_t HfFields::choice_or_first(std::string_view key, const std::vector<std::string>& allowed,
                                      std::string_view reason, std::string origin) {
  const std::optional<Value> value = present(key);
  if (!value) {
    derive(key, allowed.front(), std::move(origin));
    return 0;
  }
  const std::optional<std::string> text = value->as_string(out_);
  if (!text) return 0;
  const auto it = std::find(allowed.begin(), allowed.end(), *text);
  if (it != allowed.end()) return static_cast<std::size_t>(it - allowed.begin());
  value->error(kUnsupported, fmt::format("\"{}\": \"{}\" is not supported: {}", key, *text, reason),
               fmt::format("supported: \"{}\"", fmt::join(allowed, "\", \"")), out_);
  return 0;
}

void HfFields::only_text(std::string_view key, std::string_view allowed, std::string_view reason) {
  const std::optional<Value> value = object_.required(key);
  const std::optional<std::string> text = value ? value->as_string(out_) : std::nullopt;
  if (!text || *text == allowed) return;
  value->error(kUnsupported, fmt::format("\"{}\": \"{}\" is not supported: {}", key, *text, reason),
               fmt::format("supported: \"{}\"", allowed), out_);
}

std::optional<Value> HfFields::present(std::string_view key) {
  std::optional<Value> value = object_.optional(key);
  if (value && value->is_null()) return std::nullopt;
  return value;
}

bool HfFields::is_null(std::string_view key) {
  const std::optional<Value> value = object_.optional(key);
  return value && value->is_null();
}

void HfFields::inconsistent(std::string_view key, std::string message, std::string hint) {
  const Value at = present(key).value_or(object_.object());
  at.error("implausible-model", std::move(message), std::move(hint), out_);
}

void HfFields::derive(std::string_view key, std::string value, std::string origin) {
  spec_.derived.push_back({std::string(key), std::move(value), std::move(origin)});
}

}  // namespace heddle::io
