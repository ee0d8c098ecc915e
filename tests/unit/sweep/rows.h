#pragma once
// Rows of a small sweep.

#include <string>
#include <vector>

#include "sim/sweep/row.h"

namespace heddle::sweep {

inline Grid small_grid() {
  return Grid({{"training.micro_batch", {"1", "2"}}});
}

inline Row small_row(std::size_t point, const std::string& strategy, Duration step,
                     Bytes reserved) {
  run::CaseResult result;
  result.case_id = "here/" + strategy;
  result.strategy = strategy;
  result.step_time = step;
  result.tokens_per_second = 1 / step.seconds();
  result.memory.peak_reserved = reserved;
  result.memory.verdict = run::Verdict::kFits;
  const PathValues values = small_grid().at(point);
  const std::string fingerprint = "0123456789abcdef";
  return result_row({point, values, fingerprint}, result, false);
}

inline Row refused_row(std::size_t point) {
  const PathValues values = small_grid().at(point);
  const std::string none;
  return refusal_row({point, values, none}, "", "not modelled, \"so\" refused", false);
}

}  // namespace heddle::sweep
