#pragma once
// "cost" of a run in "heddle.result/1": hours of the clock, money and kWh of all GPUs.

#include "sim/io/json_writer.h"
#include "sim/run/cost/cost_report.h"

namespace heddle::io {

void write_cost_report(JsonWriter& w, const run::CostReport& cost);

}  // namespace heddle::io
