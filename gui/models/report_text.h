#pragma once
// What a report says in a line or two.

#include <string>

#include "gui/models/validation_report.h"

namespace heddle::gui {

/// "agrees", "disagrees", "could not measure"
std::string verdict_word(const ValidationReport& report);
/// "step predicted 552 ms, measured 517 ms, error +6.7 %, tolerance 25 %"; without times why there
/// are none.
std::string summary_text(const ValidationReport& report);
/// "mistral-7b-4xh200, nvswitch/fsdp: 2 ranks on backend mpi, scale 0.06; 9 steps, ..."
std::string origin_text(const ValidationReport& report);
/// Why there is nothing to draw: every reason, and the last ops of every rank.
std::string failure_text(const ValidationReport& report);

}  // namespace heddle::gui
