#include "sim/io/training_import/config_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/base/nearest_name.h"
#include "sim/io/training_import/value_text.h"

namespace heddle::io {

ConfigKeys::ConfigKeys(const Value& object, std::string path, TrainingSetup& setup,
                       Diagnostics& out)
    : path_(std::move(path)), setup_(&setup), out_(&out), reader_(object, out) {}

std::string ConfigKeys::path_of(std::string_view key) const {
  return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

std::string ConfigKeys::text_of(std::string_view key) const {
  const auto value = reader_.object().member(key);
  return value && !value->is_null() ? value_text(*value) : "absent";
}

std::optional<Value> ConfigKeys::take(std::string_view key) {
  known_.emplace_back(key);
  std::optional<Value> value = reader_.optional(key);
  if (value && value->is_null()) return std::nullopt;
  return value;
}

std::optional<ConfigKeys> ConfigKeys::section(std::string_view key) {
  const auto value = take(key);
  if (!value) return std::nullopt;
  return ConfigKeys(*value, path_of(key), *setup_, *out_);
}

std::optional<bool> ConfigKeys::flag(std::string_view key) {
  const auto value = take(key);
  if (!value) return std::nullopt;
  const auto flag = loose_flag(*value);
  if (!flag) value->error("wrong-type", "must be true or false", "", *out_);
  return flag;
}

std::optional<double> ConfigKeys::number(std::string_view key) {
  const auto value = take(key);
  if (!value) return std::nullopt;
  const auto number = loose_number(*value);
  if (!number) value->error("wrong-type", "must be a number", "", *out_);
  return number;
}

std::optional<std::int64_t> ConfigKeys::count(std::string_view key, std::int64_t low,
                                              std::int64_t high) {
  const auto value = take(key);
  if (!value) return std::nullopt;
  const auto count = loose_integer(*value);
  if (count && *count >= low && *count <= high) return count;
  value->error(count ? "out-of-range" : "wrong-type",
               fmt::format("must be a whole number between {} and {}", low, high), "", *out_);
  return std::nullopt;
}

std::optional<std::string> ConfigKeys::word(std::string_view key) {
  const auto value = take(key);
  if (!value) return std::nullopt;
  if (value->kind() == JsonKind::kBool) return value_text(*value);  // a bare `no` in YAML
  const auto text = value->as_string(*out_);
  if (!text) return std::nullopt;
  return lower_case(*text);
}

bool ConfigKeys::is_auto(std::string_view key) {
  const auto value = take(key);
  Diagnostics none;
  return value && value->kind() == JsonKind::kString && *value->as_string(none) == "auto";
}

void ConfigKeys::without_effect(std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (take(key)) setup_->without_effect.push_back(path_of(key));
  }
}

void ConfigKeys::rest_without_effect(std::span<const std::string_view> keys) {
  for (const std::string_view key : keys) {
    const bool asked = std::find(known_.begin(), known_.end(), key) != known_.end();
    if (!asked) without_effect({key});
  }
}

void ConfigKeys::only(std::string_view key, std::initializer_list<std::string_view> harmless,
                      std::string_view reason, std::string_view hint) {
  const auto value = take(key);
  if (!value) return;
  std::string text = lower_case(value_text(*value));
  std::erase(text, '"');
  if (std::find(harmless.begin(), harmless.end(), text) != harmless.end()) {
    setup_->without_effect.push_back(path_of(key));
  } else {
    refuse(key, std::string(reason), hint);
  }
}

void ConfigKeys::refuse(std::string_view key, std::string reason, std::string_view hint) {
  const auto value = reader_.object().member(key);
  (value ? *value : reader_.object())
      .error("not-modelled", fmt::format("{}: {}", path_of(key), reason), std::string(hint), *out_);
}

void ConfigKeys::decide(std::string_view key, std::string became, std::string_view why) {
  setup_->decisions.push_back({path_of(key), text_of(key), std::move(became), std::string(why)});
}

void ConfigKeys::finish() {
  constexpr std::size_t kShown = 20;  // more would bury the rest of the messages
  std::vector<std::string> unknown = reader_.unused();
  if (unknown.size() > kShown) unknown.resize(kShown);
  for (const std::string& key : unknown) {
    const std::string nearest = nearest_name(key, known_);
    reader_.object().member(key)->error(
        "unknown-key", fmt::format("{:.80}: what this key does is not known here", path_of(key)),
        nearest.empty() ? "take it out if it touches neither memory nor time"
                        : fmt::format("did you mean \"{}\"?", nearest),
        *out_);
  }
}

}  // namespace heddle::io
