#pragma once
// All plans of a communicator that its settings allow, by kind of collective, and the choice among
// them.

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/collective/algorithms.h"

namespace heddle::collective {

class PlanTable {
 public:
  /// nullopt and diagnostics if the algorithm that the settings ask for cannot run here, or if
  /// nothing can run a kind that training needs. All-to-all and send/recv may stay without plans:
  /// refusal() then says why.
  static std::optional<PlanTable> create(const Group& group, Diagnostics& out);

  /// By the table of algorithms, then protocol; empty if nothing can run the kind.
  std::span<const Plan> plans(schedule::CollectiveKind kind) const { return at(kind).plans; }
  /// Why the kind has no plans.
  const std::optional<Refusal>& refusal(schedule::CollectiveKind kind) const {
    return at(kind).refusal;
  }
  /// The plan with the smallest estimate by NCCL's nominal figures; the first of equals. The kind
  /// must have plans.
  const Plan& choose(schedule::CollectiveKind kind, Bytes payload) const;

 private:
  struct Entry {
    std::vector<Plan> plans;
    std::optional<Refusal> refusal;
  };
  const Entry& at(schedule::CollectiveKind kind) const {
    return entries_[static_cast<std::size_t>(kind)];
  }

  std::array<Entry, schedule::kCollectiveKinds.size()> entries_;  // by CollectiveKind
};

}  // namespace heddle::collective
