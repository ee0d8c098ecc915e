#include "sim/io/cost_result_writer.h"

namespace heddle::io {
namespace {

/// A number, or null where it is not known.
void write_known(JsonWriter& w, std::string_view key, const std::optional<double>& value) {
  w.key(key);
  if (value) {
    w.value(*value);
  } else {
    w.null();
  }
}

void write_of(JsonWriter& w, std::string_view key, const run::CostOf& cost) {
  w.key(key).begin_object().inline_from_here();
  w.field("hours", cost.all.hours).field("money", cost.all.money);
  write_known(w, "kwh", cost.all.kwh);
  w.field("waiting_money", cost.waiting.money);
  write_known(w, "waiting_kwh", cost.waiting.kwh);
  w.end_object();
}

}  // namespace

void write_cost_report(JsonWriter& w, const run::CostReport& cost) {
  w.key("cost").begin_object();
  w.field("currency", cost.currency).field("price_per_gpu_hour", cost.price);
  write_known(w, "power_busy_w", cost.power_busy);
  write_known(w, "power_idle_w", cost.power_idle);
  w.field("pue", cost.pue);
  write_of(w, "step", cost.step);
  write_of(w, "million", cost.million);
  if (cost.epoch) write_of(w, "epoch", *cost.epoch);
  if (cost.run) {
    w.field("run_steps", cost.run_steps);
    write_of(w, "run", *cost.run);
  }
  w.end_object();
}

}  // namespace heddle::io
