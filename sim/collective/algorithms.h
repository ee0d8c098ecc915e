#pragma once
// The table of algorithms. A new one is a file that fills in an AlgorithmSpec and a line in
// algorithms.cpp; the conformance test runs over the table.

#include <optional>
#include <span>
#include <vector>

#include "sim/collective/group.h"
#include "sim/collective/plan.h"
#include "sim/collective/refusal.h"
#include "sim/collective/share.h"
#include "sim/schedule/schedule.h"

namespace heddle::collective {

struct AlgorithmSpec {
  Algorithm algorithm = Algorithm::kRing;
  bool (*runs)(schedule::CollectiveKind kind) = nullptr;
  std::optional<Refusal> (*refusal)(const Group& group) = nullptr;
  /// The declared closed form: bytes through a member's outgoing wires per byte of payload, so
  /// that on equal NVLink ports T = latency + port_share * S / (efficiency * port).
  Share (*port_share)(schedule::CollectiveKind kind, int ranks) = nullptr;
  /// One plan per protocol, best effort of each; asked only where runs() and no refusal().
  std::vector<Plan> (*plans)(const Group& group, schedule::CollectiveKind kind) = nullptr;
};

/// In the order in which ties are decided.
std::span<const AlgorithmSpec> algorithms();

}  // namespace heddle::collective
