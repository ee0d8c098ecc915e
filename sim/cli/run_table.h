#pragma once
// The answer of `heddle run` for a terminal: a block per fabric, a row per strategy, and under them
// what the numbers rest on. At most 120 columns.

#include <span>
#include <string>
#include <vector>

#include "sim/cli/text_table.h"
#include "sim/run/case_result.h"
#include "sim/run/study.h"

namespace heddle::cli {

/// What is trained and how, one line.
std::string heading(const run::Study& study);

/// Titles and units of the columns that result_row() fills; the desktop shows the same.
std::vector<Column> result_columns(const run::Study& study);
std::vector<std::string> result_row(const run::Study& study, const run::CaseResult& result);
/// "8xH200-SXM, H200-SXM-141GB, GPUs 0,1,2,3"
std::string machine_text(const run::Study& study, const run::CaseId& id);

/// `results[i]` is the result of `cases[i]`; cases of a fabric are neighbours.
std::string run_table(const run::Study& study, std::span<const run::CaseId> cases,
                      std::span<const run::CaseResult> results);

/// The declared assumptions, what `overrides` ("path=value", as --set takes them) changed in the
/// file, the rule behind "fits", and the fingerprint.
std::string basis_text(const run::Study& study, std::span<const std::string> overrides);

}  // namespace heddle::cli
