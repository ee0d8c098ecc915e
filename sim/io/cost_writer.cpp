#include "sim/io/cost_writer.h"

#include "sim/io/cost_text.h"

namespace heddle::io {

void write_cost(JsonWriter& w, const run::CostChoice& cost) {
  w.key("cost").begin_object();
  w.field("price", price_text(cost.price, cost.currency));
  if (cost.power_idle) w.field("power_idle", power_text(*cost.power_idle));
  if (cost.power_busy) w.field("power_busy", power_text(*cost.power_busy));
  w.field("pue", cost.pue);
  if (cost.dataset) w.field("dataset", run_length_text(*cost.dataset));
  if (cost.run) w.field("run", run_length_text(*cost.run));
  w.end_object();
}

void hash_cost(StableHash& hash, const run::CostChoice& cost) {
  JsonWriter text;  // holds every value exactly
  text.begin_object();
  write_cost(text, cost);
  text.end_object();
  hash.add(std::string_view(text.take()));
}

}  // namespace heddle::io
