#pragma once
// What `heddle advise` found, with what its texts need.

#include <optional>
#include <string>

#include "sim/advise/search.h"
#include "sim/cli/environment.h"
#include "sim/cli/study_loader.h"

namespace heddle::cli {

struct AdviseRequest {
  StudyRequest study;
  std::string fabric;      // id; empty: the scenario's only machine
  std::string memory_cap;  // "80 GB"; empty: the GPU's own
  advise::Objective objective = advise::Objective::kTime;
  std::size_t top = 5;
};

struct AdviceAnswer {
  advise::Space space;
  advise::Advice advice;
  advise::Objective objective = advise::Objective::kTime;
  std::string machine;
  std::string gpu;
  double error = 0;           // relative, of a predicted step
  bool nothing_fits = false;  // then the advice is what needs least
};

/// UsageError for an unknown fabric, several machines without --fabric, or cost without prices;
/// BadInput for what is wrong in the scenario.
AdviceAnswer find_advice(const AdviseRequest& request, const Environment& env);

}  // namespace heddle::cli
