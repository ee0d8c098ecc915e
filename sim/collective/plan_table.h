#pragma once
// All plans of a communicator that its settings allow, by kind of collective, and the choice among
// them.

#include <array>
#include <optional>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/collective/algorithms.h"

namespace heddle::collective {

class PlanTable {
 public:
  /// nullopt and a diagnostic if an asked-for algorithm cannot run here or a kind has no plan.
  static std::optional<PlanTable> create(const Group& group, std::optional<Algorithm> algorithm,
                                         std::optional<Protocol> protocol, Diagnostics& out);

  /// The plan with the smallest estimate by NCCL's nominal figures; the first of equals.
  const Plan& choose(schedule::CollectiveKind kind, Bytes payload) const;

 private:
  std::array<std::vector<Plan>, 4> plans_;  // by CollectiveKind
};

}  // namespace heddle::collective
