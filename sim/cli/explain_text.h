#pragma once
// The sections of `heddle explain`: where one case's memory, time and traffic come from.

#include <string>

#include "sim/run/case_result.h"
#include "sim/run/study.h"

namespace heddle::cli {

std::string explain_time(const run::CaseResult& result);
std::string explain_host(const run::CaseResult& result);
std::string explain_traffic(const run::Study& study, const run::CaseId& id,
                            const run::CaseResult& result);
/// The GPU's figures as used, the rings found, and model values that were derived.
std::string explain_basis(const run::Study& study, const run::CaseId& id,
                          const schedule::Schedule& schedule);

}  // namespace heddle::cli
