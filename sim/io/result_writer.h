#pragma once
// Results as files. JSON, schema "heddle.result/1": bytes are integers, times are seconds, keys in
// a fixed order, no date, host or absolute path, so that the same input gives the same bytes. CSV
// has the scalar columns, one line per case.

#include <span>
#include <string>

#include "sim/run/case_result.h"
#include "sim/run/scenario.h"

namespace heddle::io {

std::string write_result_json(const run::Scenario& scenario, const std::string& fingerprint,
                              std::span<const run::CaseResult> results);

std::string write_result_csv(std::span<const run::CaseResult> results);

}  // namespace heddle::io
