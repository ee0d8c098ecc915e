#pragma once
// Prices, powers and lengths of training as text. Each needs its unit; "2.99" alone is refused.

#include <string>
#include <string_view>

#include "sim/base/units_text.h"
#include "sim/run/cost/cost_choice.h"

namespace heddle::io {

struct Price {
  double amount = 0;
  std::string currency;
};

Parsed<Price> parse_price(std::string_view text);                // "2.99 USD/GPU-hour"
Parsed<double> parse_power(std::string_view text);               // W: "700 W", "0.7 kW"
Parsed<run::RunLength> parse_run_length(std::string_view text);  // "15e12 tokens", "20000 steps"

/// The inverses, to the bit.
std::string price_text(double amount, std::string_view currency);
std::string power_text(double watts);
std::string run_length_text(const run::RunLength& length);

}  // namespace heddle::io
