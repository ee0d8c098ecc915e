#pragma once
// Anchors against predictions: every anchor ends as a record or as unsupported with its reason.

#include <vector>

#include "sim/cli/accuracy/anchors.h"
#include "sim/cli/accuracy/outcomes.h"
#include "sim/cli/accuracy/plan.h"
#include "sim/cli/accuracy/record.h"

namespace heddle::cli::accuracy {

struct Score {
  std::vector<Record> records;  // in the anchors' order
  std::vector<Unsupported> unsupported;
};

Score score(const std::vector<Anchor>& anchors, const std::vector<PlanEntry>& plan,
            Outcomes& outcomes);

}  // namespace heddle::cli::accuracy
