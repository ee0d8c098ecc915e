#pragma once
// Single changes that may lower the memory a case needs, each tried by simulating the case anew.

#include <span>
#include <string_view>
#include <vector>

#include "sim/run/memory_report.h"
#include "sim/run/study.h"

namespace heddle::run {

struct Knob {
  std::string_view name;  // "fused_optimizer"
  std::string_view text;  // what to do, for a person
  /// Turns it. False if it is turned already or means nothing for this strategy.
  bool (*turn)(Scenario& scenario, StrategyChoice& choice);
};

/// In the order of how little they change the job. Adding one: a line in knobs.cpp.
std::span<const Knob> knobs();

struct KnobResult {
  const Knob* knob = nullptr;
  MemoryReport memory;
  Duration step_time;
  Bytes saved;  // of needed(), more than zero
};

/// Every knob that can be turned for `id` and that the strategy models, most bytes saved first.
/// Knobs that save nothing are left out.
std::vector<KnobResult> try_knobs(const Study& study, const CaseId& id, const CaseResult& base,
                                  const HardwareCatalog& catalog, const ReadText& read);

}  // namespace heddle::run
