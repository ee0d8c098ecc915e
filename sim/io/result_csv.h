#pragma once
// Results as a table for spreadsheets: the scalars of "heddle.result/1" under the same names, one
// line per case. Lists (traffic, timeline) are in the JSON only.

#include <span>
#include <string>

#include "sim/run/case_result.h"

namespace heddle::io {

std::string write_result_csv(std::span<const run::CaseResult> results);

}  // namespace heddle::io
