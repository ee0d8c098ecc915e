#pragma once
// A scenario's answer as the window holds it: immutable once a job has made it, shared by views.

#include <memory>
#include <vector>

#include "sim/run/case_result.h"
#include "sim/run/study.h"

namespace heddle::gui {

struct Results {
  run::Study study;
  std::vector<run::CaseResult> cases;  // as study.cases(), recorded
};
using ResultsPtr = std::shared_ptr<const Results>;

}  // namespace heddle::gui
