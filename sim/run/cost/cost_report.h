#pragma once
// What a case costs in time, money and energy.

#include <optional>
#include <string>

namespace heddle::run {

/// Of all GPUs of the job together.
struct CostAmount {
  double hours = 0;  // of the clock
  double money = 0;
  std::optional<double> kwh;  // unknown if a GPU's power is
};

/// Amounts of one length of training, and the part of them spent waiting for the wire.
struct CostOf {
  CostAmount all;
  CostAmount waiting;
};

struct CostReport {
  std::string currency;
  double price = 0;                  // per GPU and hour
  std::optional<double> power_idle;  // W per GPU
  std::optional<double> power_busy;
  double pue = 1;
  CostOf step;
  CostOf million;               // tokens, or samples of image models
  std::optional<CostOf> epoch;  // if the size of the data is known
  std::optional<CostOf> run;    // if its length is
  double run_steps = 0;
};

}  // namespace heddle::run
