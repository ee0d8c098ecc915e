#pragma once
// What `heddle memory` says of a case.

#include <span>
#include <string>

#include "sim/run/case_result.h"
#include "sim/run/knobs.h"
#include "sim/run/study.h"

namespace heddle::cli {

/// "yes", "close", "NO": for a column.
std::string verdict_word(run::Verdict verdict);
/// "fits", "too close to call", "DOES NOT FIT": in a sentence.
std::string verdict_text(run::Verdict verdict);

/// The four quantities by step, the categories and buffers at the peak, the verdict.
std::string memory_text(const run::CaseResult& result);
/// What would need less, with the bytes each saves and what it costs in time.
std::string knobs_text(const run::CaseResult& base, std::span<const run::KnobResult> knobs);
/// Schema heddle.memory/1.
std::string memory_json(const run::Study& study, const run::CaseResult& base,
                        std::span<const run::KnobResult> knobs);

}  // namespace heddle::cli
