#pragma once

#include <optional>

#include "sim/cli/accuracy/outcomes.h"
#include "sim/cli/accuracy/plan.h"
#include "sim/cli/accuracy/record.h"

namespace heddle::cli::accuracy {

/// Of several ratios the one farthest from `measured` is the value; all are in the figures.
/// BadInput or UsageError if the entry's scenario, case or machine cannot be run.
Prediction predict(const PlanEntry& entry, const std::optional<Measured>& measured,
                   Outcomes& outcomes);

/// What the entry's scenario declares, if it has one.
std::vector<std::string> scenario_assumptions(const PlanEntry& entry, Outcomes& outcomes);

}  // namespace heddle::cli::accuracy
