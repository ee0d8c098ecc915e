#pragma once
// "cost" of a scenario, written and hashed.

#include "sim/base/stable_hash.h"
#include "sim/io/json_writer.h"
#include "sim/run/cost/cost_choice.h"

namespace heddle::io {

void write_cost(JsonWriter& w, const run::CostChoice& cost);
void hash_cost(StableHash& hash, const run::CostChoice& cost);

}  // namespace heddle::io
