#include "hw_models/origin.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include "sim/base/nearest_name.h"

namespace heddle::hw_models {
namespace {

const std::vector<std::string>& kinds() {
  static const std::vector<std::string> kKinds = {"datasheet", "measured", "assumed", "calibrated"};
  return kKinds;
}

/// "2024-11" or "2024-11-18".
bool is_date(std::string_view text) {
  constexpr std::string_view kPattern = "dddd-dd-dd";
  if (text.size() != 7 && text.size() != kPattern.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (kPattern[i] == '-' ? text[i] != '-' : !digit) return false;
  }
  return true;
}

/// "6 %": positive and below 200 %.
bool is_sigma(std::string_view text) {
  double percent = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, percent);
  const std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  return error == std::errc() && unit == " %" && percent > 0 && percent < 200;
}

std::string text_of(io::ObjectReader& object, std::string_view key, Diagnostics& out) {
  const auto value = object.required(key);
  const auto text = value ? value->as_string(out) : std::nullopt;
  if (text && text->empty()) value->error("empty", fmt::format("\"{}\" is empty", key), "", out);
  return text.value_or("");
}

void check_sigma(io::ObjectReader& quantity, const std::string& kind, Diagnostics& out) {
  const bool needed = kind == "assumed" || kind == "calibrated";
  const auto value = needed ? quantity.required("sigma") : quantity.optional("sigma");
  const auto text = value ? value->as_string(out) : std::nullopt;
  if (text && !is_sigma(*text)) {
    value->error("bad-sigma", fmt::format("\"{}\" is not a relative error", *text),
                 "write it like \"6 %\"", out);
  }
}

}  // namespace

void check_origin(io::ObjectReader& quantity, Diagnostics& out) {
  const std::string kind = text_of(quantity, "kind", out);
  text_of(quantity, "source", out);
  const std::string date = text_of(quantity, "date", out);
  check_sigma(quantity, kind, out);
  const bool known = std::find(kinds().begin(), kinds().end(), kind) != kinds().end();
  if (!kind.empty() && !known) {
    quantity.optional("kind")->error("unknown-kind", fmt::format("unknown kind \"{}\"", kind),
                                     suggest_name(kind, kinds()), out);
  }
  if (!date.empty() && !is_date(date)) {
    quantity.optional("date")->error("bad-date", fmt::format("\"{}\" is not a date", date),
                                     "write it like \"2024-11\" or \"2024-11-18\"", out);
  }
}

}  // namespace heddle::hw_models
