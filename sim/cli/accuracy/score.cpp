#include "sim/cli/accuracy/score.h"

#include <algorithm>

#include "sim/cli/accuracy/predict.h"
#include "sim/cli/verb_errors.h"

namespace heddle::cli::accuracy {
namespace {

Record make_record(const Anchor& anchor, const PlanEntry& entry, Outcomes& outcomes) {
  const std::optional<Measured> measured = anchor.measured ? anchor.measured : entry.expect;
  Record record{anchor.id, predict(entry, measured, outcomes), measured, std::nullopt,
                entry.assumptions};
  if (record.predicted.value && measured) {
    record.error_pct = signed_error_pct(*record.predicted.value, *measured);
  }
  const auto declared = scenario_assumptions(entry, outcomes);
  record.assumptions.insert(record.assumptions.end(), declared.begin(), declared.end());
  return record;
}

}  // namespace

Score score(const std::vector<Anchor>& anchors, const std::vector<PlanEntry>& plan,
            Outcomes& outcomes) {
  Score result;
  for (const Anchor& anchor : anchors) {
    const auto entry = std::find_if(plan.begin(), plan.end(),
                                    [&anchor](const PlanEntry& e) { return e.id == anchor.id; });
    if (entry == plan.end()) {
      result.unsupported.push_back({anchor.id, "the accuracy plan has no entry for it"});
      continue;
    }
    try {
      result.records.push_back(make_record(anchor, *entry, outcomes));
    } catch (const BadInput& problem) {
      result.unsupported.push_back({anchor.id, first_error(problem.diagnostics())});
    } catch (const UsageError& problem) {
      result.unsupported.push_back({anchor.id, problem.what()});
    }
  }
  return result;
}

}  // namespace heddle::cli::accuracy
