#include "gui/models/sweep_fields.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace heddle::gui {
namespace {

struct Quantity {
  double number = 0;
  bool whole = false;
  std::string unit;  // with its blank
};

std::optional<Quantity> quantity_of(const std::string& text) {
  Quantity q;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, q.number);
  if (error != std::errc() || !std::isfinite(q.number)) return std::nullopt;
  q.whole = std::string_view(text.data(), rest).find_first_of(".eE") == std::string_view::npos;
  q.unit = std::string(rest, end);
  const char* const kUnitLetters = " %/abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  if (q.unit.find_first_not_of(kUnitLetters) != std::string::npos) return std::nullopt;
  return q;
}

}  // namespace

std::vector<SweepField> sweep_fields(const ScenarioRows& rows) {
  std::vector<SweepField> out;
  for (const ScenarioRow& row : rows.rows()) {
    const bool reachable = rows.edit_for(row.path, row.value).first == row.path;
    if (reachable && row.problem.empty() && quantity_of(row.value)) {
      out.push_back({row.path, row.value});
    }
  }
  return out;
}

std::string suggested_values(const std::string& value) {
  const auto q = quantity_of(value);
  if (!q) return value;
  if (q->number == 0) return fmt::format("0{0},1{0},2{0}", q->unit);
  const bool doubles = q->whole && q->unit.empty();
  std::string text;
  for (const double factor : {1.0, 2.0, 3.0, 4.0}) {
    const double times = doubles ? std::exp2(factor - 1) : factor / 2;
    text += fmt::format("{}{:.15g}{}", text.empty() ? "" : ",", q->number * times, q->unit);
  }
  return text;
}

}  // namespace heddle::gui
