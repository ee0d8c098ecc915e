#pragma once
// Results as JSON, schema "heddle.result/1": bytes are integers, times are seconds, keys in a fixed
// order, no date, host or absolute path, so that the same input gives the same bytes.

#include <span>
#include <string>

#include "sim/io/result_csv.h"
#include "sim/run/case_result.h"
#include "sim/run/scenario.h"

namespace heddle::io {

std::string write_result_json(const run::Scenario& scenario, const std::string& fingerprint,
                              std::span<const run::CaseResult> results);

}  // namespace heddle::io
