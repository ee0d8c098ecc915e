#pragma once
// Where a measured sweep ran, as its words and the rules tell.

#include <string>
#include <variant>
#include <vector>

#include "sim/cli/accuracy/measured_sweep.h"
#include "sim/cli/accuracy/place_rules.h"
#include "sim/run/hardware_catalog.h"
#include "sim/run/scenario.h"
#include "sim/schedule/schedule.h"

namespace heddle::cli::accuracy {

struct SweepPlace {
  run::FabricChoice choice;
  schedule::CollectiveKind kind = schedule::CollectiveKind::kAllReduce;
  std::string text;  // "2 x aws-p5, efa-p5@8x400Gbit/s"
  std::vector<std::string> assumptions;
};

/// Or why there is none: the fact that is missing or what is not modelled.
using PlaceOrReason = std::variant<SweepPlace, std::string>;

PlaceOrReason place_of(const MeasuredSweep& sweep, const PlaceRules& rules,
                       const run::HardwareCatalog& catalog);

}  // namespace heddle::cli::accuracy
