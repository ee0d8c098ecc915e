#include "hw_models/origin.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/date_text.h"
#include "sim/base/nearest_name.h"

namespace heddle::hw_models {
namespace {

const std::vector<std::string>& kinds() {
  static const std::vector<std::string> kKinds = {"datasheet", "measured", "assumed", "calibrated"};
  return kKinds;
}

/// "6 %" as 6: positive and below 200 %.
std::optional<double> percent_of_sigma(std::string_view text) {
  double percent = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, percent);
  const std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  const bool good = error == std::errc() && unit == " %" && percent > 0 && percent < 200;
  return good ? std::optional(percent) : std::nullopt;
}

std::string text_of(io::ObjectReader& object, std::string_view key, Diagnostics& out) {
  const auto value = object.required(key);
  const auto text = value ? value->as_string(out) : std::nullopt;
  if (text && text->empty()) value->error("empty", fmt::format("\"{}\" is empty", key), "", out);
  return text.value_or("");
}

double read_sigma(io::ObjectReader& quantity, const std::string& kind, Diagnostics& out) {
  const bool needed = kind == "assumed" || kind == "calibrated";
  const auto value = needed ? quantity.required("sigma") : quantity.optional("sigma");
  const auto text = value ? value->as_string(out) : std::nullopt;
  if (!text) return 0;
  if (const auto percent = percent_of_sigma(*text)) return *percent;
  value->error("bad-sigma", fmt::format("\"{}\" is not a relative error", *text),
               "write it like \"6 %\"", out);
  return 0;
}

}  // namespace

Origin read_origin(io::ObjectReader& quantity, Diagnostics& out) {
  Origin origin;
  origin.kind = text_of(quantity, "kind", out);
  origin.source = text_of(quantity, "source", out);
  origin.date = text_of(quantity, "date", out);
  origin.sigma_percent = read_sigma(quantity, origin.kind, out);
  const bool known = std::find(kinds().begin(), kinds().end(), origin.kind) != kinds().end();
  if (!origin.kind.empty() && !known) {
    quantity.optional("kind")->error("unknown-kind",
                                     fmt::format("unknown kind \"{}\"", origin.kind),
                                     suggest_name(origin.kind, kinds()), out);
  }
  if (!origin.date.empty() && !is_date(origin.date)) {
    quantity.optional("date")->error("bad-date", fmt::format("\"{}\" is not a date", origin.date),
                                     "write it like \"2024-11\" or \"2024-11-18\"", out);
  }
  return origin;
}

void write_origin(io::JsonWriter& json, const Origin& origin) {
  json.field("kind", origin.kind).field("source", origin.source).field("date", origin.date);
  if (origin.sigma_percent > 0) json.field("sigma", fmt::format("{} %", origin.sigma_percent));
}

}  // namespace heddle::hw_models
