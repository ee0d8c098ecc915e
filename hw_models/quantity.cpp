#include "hw_models/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace heddle::hw_models {
namespace {

/// `text` as a number followed by exactly ` unit`.
template <typename Number>
std::optional<Number> number_with(std::string_view text, std::string_view unit) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc()) return std::nullopt;
  const std::string_view tail(rest, static_cast<std::size_t>(end - rest));
  if (tail.empty() || tail.front() != ' ' || tail.substr(1) != unit) return std::nullopt;
  return number;
}

/// The whole text as a number.
std::optional<int> whole(std::string_view text) {
  int number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || rest != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::optional<Sourced<io::Value>> QuantityReader::checked(const io::Value& quantity) {
  const int before = out_.error_count();
  io::ObjectReader fields(quantity, out_);
  const std::optional<io::Value> value = fields.required("value");
  Origin origin = read_origin(fields, out_);
  fields.finish();
  if (out_.error_count() != before) return std::nullopt;
  return Sourced<io::Value>{*value, std::move(origin)};
}

std::optional<io::Value> QuantityReader::value_of(std::string_view key) {
  const std::optional<io::Value> quantity = object_.required(key);
  const auto found = quantity ? checked(*quantity) : std::nullopt;
  return found ? std::optional(found->value) : std::nullopt;
}

template <typename T, typename Convert>
std::optional<Sourced<T>> QuantityReader::sourced(std::string_view key, Convert convert) {
  const std::optional<io::Value> quantity = object_.optional(key);
  auto found = quantity ? checked(*quantity) : std::nullopt;
  const std::optional<T> value = found ? convert(found->value) : std::nullopt;
  if (!value) return std::nullopt;
  return Sourced<T>{*value, std::move(found->origin)};
}

Bytes QuantityReader::bytes(std::string_view key) {
  const std::optional<io::Value> value = value_of(key);
  return value ? value->as_bytes(out_).value_or(Bytes{}) : Bytes{};
}

Bandwidth QuantityReader::bandwidth(std::string_view key) {
  const std::optional<io::Value> value = value_of(key);
  return value ? value->as_bandwidth(out_).value_or(Bandwidth{}) : Bandwidth{};
}

Duration QuantityReader::duration(std::string_view key) {
  const std::optional<io::Value> value = value_of(key);
  return value ? value->as_duration(out_).value_or(Duration{}) : Duration{};
}

FlopRate QuantityReader::flop_rate(std::string_view key) {
  const std::optional<io::Value> value = value_of(key);
  return value ? value->as_flop_rate(out_).value_or(FlopRate{}) : FlopRate{};
}

std::optional<double> QuantityReader::share_of(const io::Value& value) {
  const std::optional<std::string> text = value.as_string(out_);
  if (!text) return std::nullopt;
  const std::optional<double> percent = number_with<double>(*text, "%");
  // To a millionth of a percent, so that what io::percent_text writes reads back the same.
  if (percent && *percent > 0 && *percent <= 100) return std::round(*percent * 1e6) / 1e8;
  value.error("bad-share", fmt::format("\"{}\" is not a share above 0 % and up to 100 %", *text),
              "write it like \"89.3 %\"", out_);
  return std::nullopt;
}

double QuantityReader::share(std::string_view key) {
  const std::optional<io::Value> value = value_of(key);
  return value ? share_of(*value).value_or(0) : 0;
}

std::optional<double> QuantityReader::optional_share(std::string_view key) {
  const auto found = sourced_share(key);
  return found ? std::optional(found->value) : std::nullopt;
}

std::optional<double> QuantityReader::factor_of(const io::Value& value) {
  constexpr double kMost = 100;
  const std::optional<std::string> text = value.as_string(out_);
  if (!text) return std::nullopt;
  const std::optional<double> factor = number_with<double>(*text, "times");
  if (factor && *factor > 0 && *factor <= kMost) return factor;
  value.error("bad-factor", fmt::format("\"{}\" is not a factor above 0 and up to 100", *text),
              "write it like \"1.6 times\"", out_);
  return std::nullopt;
}

std::optional<double> QuantityReader::optional_factor(std::string_view key) {
  const auto found =
      sourced<double>(key, [this](const io::Value& value) { return factor_of(value); });
  return found ? std::optional(found->value) : std::nullopt;
}

std::optional<Bandwidth> QuantityReader::optional_bandwidth(std::string_view key) {
  const auto found = sourced_bandwidth(key);
  return found ? std::optional(found->value) : std::nullopt;
}

std::optional<int> QuantityReader::count_of(const io::Value& value, std::string_view noun,
                                            int low) {
  const std::optional<std::string> text = value.as_string(out_);
  if (!text) return std::nullopt;
  std::optional<int> number = number_with<int>(*text, noun);
  if (!number && number_with<int>(*text, noun.substr(0, noun.size() - 1)) == 1) number = 1;
  if (number && *number >= low) return number;
  value.error("bad-count", fmt::format("\"{}\" is not a count of {} from {} up", *text, noun, low),
              fmt::format("write it like \"{} {}\"", std::max(low, 8), noun), out_);
  return std::nullopt;
}

Ratio QuantityReader::ratio(std::string_view key) {
  const std::optional<io::Value> value = value_of(key);
  const std::optional<std::string> text = value ? value->as_string(out_) : std::nullopt;
  if (!text) return {};
  const std::size_t colon = std::min(text->find(':'), text->size());
  const auto above = whole(std::string_view(*text).substr(0, colon));
  const auto below = whole(std::string_view(*text).substr(std::min(colon + 1, text->size())));
  if (above && below && *below > 0 && *above >= *below) return {*above, *below};
  value->error("bad-ratio", fmt::format("\"{}\" is not a ratio from 1:1 up", *text),
               "write it like \"2:1\"", out_);
  return {};
}

int QuantityReader::count(std::string_view key, std::string_view noun, int low) {
  const std::optional<io::Value> value = value_of(key);
  return value ? count_of(*value, noun, low).value_or(0) : 0;
}

std::optional<Sourced<double>> QuantityReader::sourced_watts(std::string_view key) {
  return sourced<double>(key, [this](const io::Value& value) -> std::optional<double> {
    const std::optional<std::string> text = value.as_string(out_);
    const auto watts = text ? number_with<double>(*text, "W") : std::nullopt;
    if (watts && *watts > 0 && *watts < 1e5) return watts;
    value.error("bad-power", "not a power in W", "write it like \"700 W\"", out_);
    return std::nullopt;
  });
}

double QuantityReader::sigma(std::string_view key, double otherwise) {
  const std::optional<io::Value> quantity = object_.optional(key);
  if (!quantity) return otherwise;
  Diagnostics told_already;
  io::ObjectReader fields(*quantity, told_already);
  const double percent = read_origin(fields, told_already).sigma_percent;
  return percent > 0 ? percent / 100 : otherwise;
}

std::vector<io::Value> QuantityReader::items(std::string_view key) {
  const std::optional<io::Value> value = value_of(key);
  return value ? value->items(out_) : std::vector<io::Value>{};
}

std::optional<Sourced<double>> QuantityReader::sourced_share(std::string_view key) {
  return sourced<double>(key, [this](const io::Value& value) { return share_of(value); });
}

std::optional<Sourced<Bandwidth>> QuantityReader::sourced_bandwidth(std::string_view key) {
  return sourced<Bandwidth>(key, [this](const io::Value& v) { return v.as_bandwidth(out_); });
}

std::optional<Sourced<Duration>> QuantityReader::sourced_duration(std::string_view key) {
  return sourced<Duration>(key, [this](const io::Value& v) { return v.as_duration(out_); });
}

std::optional<Sourced<int>> QuantityReader::sourced_count(std::string_view key,
                                                          std::string_view noun, int low) {
  return sourced<int>(
      key, [this, noun, low](const io::Value& value) { return count_of(value, noun, low); });
}

}  // namespace heddle::hw_models
