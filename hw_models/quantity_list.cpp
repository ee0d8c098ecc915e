#include "hw_models/quantity_list.h"

#include <fmt/format.h>

#include <charconv>
#include <string>

#include "hw_models/origin.h"

namespace heddle::hw_models {
namespace {

/// `text` as a number followed by exactly ` unit`, above 0 and at most `most`.
std::optional<double> number_with(std::string_view text, std::string_view unit, double most) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc()) return std::nullopt;
  const std::string_view tail(rest, static_cast<std::size_t>(end - rest));
  if (tail.empty() || tail.front() != ' ' || tail.substr(1) != unit) return std::nullopt;
  if (!(number > 0) || number > most) return std::nullopt;
  return number;
}

}  // namespace

std::optional<io::Value> QuantityListReader::value_of(std::string_view key) {
  const auto quantity = object_.required(key);
  if (!quantity) return std::nullopt;
  const int before = out_.error_count();
  io::ObjectReader fields(*quantity, out_);
  const std::optional<io::Value> value = fields.required("value");
  check_origin(fields, out_);
  fields.finish();
  return out_.error_count() == before ? value : std::nullopt;
}

std::vector<io::Value> QuantityListReader::items(std::string_view key, std::size_t count) {
  const auto value = value_of(key);
  if (!value) return {};
  std::vector<io::Value> list = value->items(out_);
  if (list.empty() || (count != 0 && list.size() != count)) {
    value->error("bad-length",
                 count == 0 ? fmt::format("\"{}\" is empty", key)
                            : fmt::format("\"{}\" has {} values", key, list.size()),
                 count == 0 ? "list at least one value" : fmt::format("list {} values", count),
                 out_);
    return {};
  }
  return list;
}

double QuantityListReader::share_of(const io::Value& value) {
  const auto text = value.as_string(out_);
  if (!text) return 0;
  if (const auto percent = number_with(*text, "%", 100)) return *percent / 100;
  value.error("bad-share", fmt::format("\"{}\" is not a share above 0 % and up to 100 %", *text),
              "write it like \"89.3 %\"", out_);
  return 0;
}

double QuantityListReader::factor(std::string_view key) {
  const auto value = value_of(key);
  return value ? factor_of(*value) : 0;
}

double QuantityListReader::factor_of(const io::Value& value) {
  const auto text = value.as_string(out_);
  if (!text) return 0;
  if (const auto factor = number_with(*text, "x", 100)) return *factor;
  value.error("bad-factor", fmt::format("\"{}\" is not a factor above 0 and up to 100", *text),
              "write it like \"1.4 x\"", out_);
  return 0;
}

std::vector<Bandwidth> QuantityListReader::falling_speeds(std::string_view key) {
  std::vector<Bandwidth> speeds;
  for (const io::Value& item : items(key, 0)) {
    const Bandwidth speed = item.as_bandwidth(out_).value_or(Bandwidth{1});
    if (speed.bytes_per_second <= 0 || (!speeds.empty() && speed >= speeds.back())) {
      item.error("bad-order", "candidate speeds must be positive and fall", "", out_);
    }
    speeds.push_back(speed);
  }
  return speeds;
}

}  // namespace heddle::hw_models
