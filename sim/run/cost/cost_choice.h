#pragma once
// What a job's GPUs cost, as a scenario says it. Prices are the user's; there is no list of them.

#include <cstdint>
#include <optional>
#include <string>

namespace heddle::run {

/// A length of training in the unit it was written in.
struct RunLength {
  enum class Unit { kSteps, kTokens, kSamples, kEpochs } unit = Unit::kSteps;
  double count = 0;

  friend bool operator==(const RunLength&, const RunLength&) = default;
};

struct CostChoice {
  double price = 0;                  // per GPU and hour, in `currency`
  std::string currency;              // "USD"
  std::optional<double> power_idle;  // W per GPU; else the GPU file's
  std::optional<double> power_busy;
  double pue = 1;                    // power of the data centre over that of its GPUs
  std::optional<RunLength> dataset;  // tokens or samples
  std::optional<RunLength> run;

  friend bool operator==(const CostChoice&, const CostChoice&) = default;
};

}  // namespace heddle::run
