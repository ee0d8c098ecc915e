#pragma once
// Which of a scenario's cases a verb is about: --only and --case.

#include <span>
#include <string>
#include <vector>

#include "sim/run/scenario.h"
#include "sim/run/study.h"

namespace heddle::cli {

struct Selection {
  std::string only;     // "fabric=a,strategy=b"; a key may repeat: any of its values
  std::string case_id;  // "a/b"; empty: all
};

/// UsageError for unknown keys and values, with the nearest known one, and if nothing is left.
std::vector<run::CaseId> select_cases(const run::Scenario& scenario,
                                      std::span<const run::CaseId> cases,
                                      const Selection& selection);

/// The only one, else a UsageError that says what needs it ("--trace") and lists the ids.
const run::CaseId& require_one(std::span<const run::CaseId> cases, const std::string& what);

}  // namespace heddle::cli
