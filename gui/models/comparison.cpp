#include "gui/models/comparison.h"

#include <algorithm>

#include "sim/base/units_text.h"

namespace heddle::gui {
namespace {

const run::CaseResult* find_case(const Results& results, const std::string& id) {
  const auto found = std::find_if(results.cases.begin(), results.cases.end(),
                                  [&](const run::CaseResult& r) { return r.case_id == id; });
  return found == results.cases.end() ? nullptr : &*found;
}

}  // namespace

Comparison compare(const Results& now, const Results& a) {
  Comparison out;
  for (const run::CaseResult& result : now.cases) {
    const run::CaseResult* other = find_case(a, result.case_id);
    if (other == nullptr) {
      out.only_now.push_back(result.case_id);
      continue;
    }
    out.both.push_back({result.case_id, result.step_time - other->step_time,
                        result.memory.needed() - other->memory.needed()});
  }
  for (const run::CaseResult& result : a.cases) {
    if (find_case(now, result.case_id) == nullptr) out.only_a.push_back(result.case_id);
  }
  return out;
}

std::string signed_text(double value) {
  if (value == 0) return "0";
  return (value > 0 ? "+" : "-") + format_significant(value > 0 ? value : -value, 3);
}

}  // namespace heddle::gui
