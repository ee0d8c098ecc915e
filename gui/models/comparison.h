#pragma once
// Results beside pinned ones: case by case under the same id, signed differences now minus A.

#include <optional>
#include <string>
#include <vector>

#include "gui/models/results.h"

namespace heddle::gui {

struct CaseDifference {
  std::string case_id;
  Duration step;  // now - A
  Bytes needed;
};

struct Comparison {
  std::vector<CaseDifference> both;  // in the order of now
  std::vector<std::string> only_now;
  std::vector<std::string> only_a;
};

Comparison compare(const Results& now, const Results& a);
/// "+12.3", "-0.05", "0": three significant digits with its sign.
std::string signed_text(double value);

}  // namespace heddle::gui
