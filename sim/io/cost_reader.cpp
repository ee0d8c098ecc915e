#include "sim/io/cost_reader.h"

#include "sim/io/cost_text.h"
#include "sim/io/scenario_fields.h"
#include "sim/io/scenario_limits.h"

namespace heddle::io {
namespace {

/// nullopt if absent, or wrong after a diagnostic.
template <typename T>
std::optional<T> read_quantity(const std::optional<Value>& value,
                               Parsed<T> (*parse)(std::string_view), Diagnostics& out) {
  if (!value) return std::nullopt;
  if (value->kind() != JsonKind::kString) {
    value->error("bad-quantity", "must be a string with a unit", parse("").hint, out);
    return std::nullopt;
  }
  Parsed<T> parsed = parse(*value->as_string(out));
  if (!parsed.value) value->error("bad-quantity", parsed.reason, parsed.hint, out);
  return parsed.value;
}

std::optional<run::RunLength> read_dataset(const std::optional<Value>& value, Diagnostics& out) {
  using Unit = run::RunLength::Unit;
  auto length = read_quantity(value, parse_run_length, out);
  if (!length || length->unit == Unit::kTokens || length->unit == Unit::kSamples) return length;
  value->error("bad-quantity", "a dataset is counted in tokens or samples",
               "write it like \"15e12 tokens\"", out);
  return std::nullopt;
}

}  // namespace

run::CostChoice read_cost(const Value& object, Diagnostics& out) {
  ScenarioFields fields(object, out);
  run::CostChoice cost;
  if (const auto price = read_quantity(fields.required("price"), parse_price, out)) {
    cost.price = price->amount;
    cost.currency = price->currency;
  }
  cost.power_idle = read_quantity(fields.optional("power_idle"), parse_power, out);
  cost.power_busy = read_quantity(fields.optional("power_busy"), parse_power, out);
  if (const auto pue = fields.optional("pue")) {
    cost.pue = pue->as_number(1, kMaxPue, out).value_or(1);
  }
  cost.dataset = read_dataset(fields.optional("dataset"), out);
  cost.run = read_quantity(fields.optional("run"), parse_run_length, out);
  fields.finish();
  return cost;
}

}  // namespace heddle::io
