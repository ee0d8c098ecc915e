#pragma once
// From a simulated step to money and energy. Equations:
//
//   hours(step)  = step time
//   money        = GPUs * hours * price
//   kWh          = PUE * GPUs * (busy * compute + idle * (step - compute))
//   waiting      = the same for the exposed communication: GPUs paid and idle
//   million      = 10^6 / (tokens per step) steps; epoch, run: their tokens / (tokens per step)
//
// A GPU is busy while a kernel runs on its compute stream. Valid for the GPUs: their host, network
// and storage are in the price and, as a share, in the PUE. A GPU that waits in a collective draws
// more than an idle one, so kWh is a lower bound where much communication is exposed.

#include <string>

#include "sim/run/case_result.h"
#include "sim/run/hardware_catalog.h"

namespace heddle::run {

/// Needs the step's time and rates. `counts_samples`: of image models.
CostReport cost_of(const CostChoice& choice, const GpuPower& power, const CaseResult& result,
                   bool counts_samples);

/// Why the choice does not fit the model, or "".
std::string cost_problem(const CostChoice& choice, bool counts_samples);

}  // namespace heddle::run
