#include "sim/io/scenario_fields.h"

#include <fmt/format.h>

#include "sim/base/nearest_name.h"
#include "sim/base/units_text.h"
#include "sim/io/percent_text.h"
#include "sim/io/scenario_limits.h"

namespace heddle::io {

std::optional<Bandwidth> read_rate(const Value& value, Diagnostics& out) {
  const auto rate = value.as_bandwidth(out);
  if (!rate || (*rate > Bandwidth{} && *rate <= kMaxRate)) return rate;
  value.error("out-of-range",
              fmt::format("must be above 0 and at most {}", format_bandwidth(kMaxRate)),
              "rates are per direction, e.g. \"25 GB/s\"", out);
  return std::nullopt;
}

std::string ScenarioFields::text(std::string_view key) {
  const auto value = required(key);
  std::string found = value ? value->as_string(out_).value_or("") : "";
  if (value && value->kind() == JsonKind::kString && found.empty()) {
    value->error("out-of-range", "must not be empty", "give at least one character", out_);
  }
  return found;
}

std::string ScenarioFields::text_or(std::string_view key, std::string_view otherwise) {
  const auto value = optional(key);
  return value ? value->as_string(out_).value_or("") : std::string(otherwise);
}

std::vector<std::string> ScenarioFields::texts(std::string_view key) {
  std::vector<std::string> found;
  const auto list = optional(key);
  if (!list) return found;
  for (const Value& item : list->items(out_)) found.push_back(item.as_string(out_).value_or(""));
  return found;
}

bool ScenarioFields::flag_or(std::string_view key, bool otherwise) {
  const auto value = optional(key);
  return value ? value->as_bool(out_).value_or(otherwise) : otherwise;
}

double ScenarioFields::share_or(std::string_view key, double low, double otherwise) {
  const auto value = optional(key);
  if (!value) return otherwise;
  if (value->kind() != JsonKind::kString) {
    value->error("bad-quantity", "must be a string with a %", "write it like \"2 %\"", out_);
    return otherwise;
  }
  const Parsed<double> share = parse_percent(*value->as_string(out_));
  if (!share.value) {
    value->error("bad-quantity", share.reason, share.hint, out_);
  } else if (*share.value < low) {
    value->error("out-of-range", fmt::format("must be at least {}", percent_text(low)), "", out_);
  } else {
    return *share.value;
  }
  return otherwise;
}

std::int64_t ScenarioFields::integer(std::string_view key, std::int64_t low, std::int64_t high) {
  const auto value = required(key);
  return value ? value->as_integer(low, high, out_).value_or(low) : low;
}

std::int64_t ScenarioFields::integer_or(std::string_view key, std::int64_t low, std::int64_t high,
                                        std::int64_t otherwise) {
  const auto value = optional(key);
  return value ? value->as_integer(low, high, out_).value_or(otherwise) : otherwise;
}

Duration ScenarioFields::host_time_or(std::string_view key, Duration otherwise) {
  const auto value = optional(key);
  const Duration time = value ? value->as_duration(out_).value_or(otherwise) : otherwise;
  if (time <= kMaxHostTime) return time;
  value->error("out-of-range",
               fmt::format("must be at most {}, is {}", format_duration(kMaxHostTime),
                           format_duration(time)),
               "host times are microseconds, e.g. \"5 us\"", out_);
  return otherwise;
}

void ScenarioFields::refuse_word(const Value& at, const std::string& typed, std::string_view what,
                                 const std::vector<std::string>& names) {
  at.error(fmt::format("unknown-{}", what), fmt::format("unknown {} \"{}\"", what, typed),
           suggest_name(typed, names), out_);
}

}  // namespace heddle::io
