#include "sim/collective/plan_table.h"

#include <algorithm>
#include <cstddef>

#include "sim/base/check.h"

namespace heddle::collective {
namespace {

using schedule::CollectiveKind;

constexpr std::array kKinds{CollectiveKind::kAllReduce, CollectiveKind::kAllGather,
                            CollectiveKind::kReduceScatter, CollectiveKind::kBroadcast};

bool runs_everything(const AlgorithmSpec& spec) {
  return std::all_of(kKinds.begin(), kKinds.end(), spec.runs);
}

/// The table's algorithms that this group can run. A refusal is an error where it matters: for the
/// algorithm asked for, and for rings, since no other runs every kind.
std::vector<const AlgorithmSpec*> usable(const Group& group, std::optional<Algorithm> wanted,
                                         Diagnostics& out) {
  std::vector<const AlgorithmSpec*> found;
  for (const AlgorithmSpec& spec : algorithms()) {
    const std::optional<Refusal> refusal = spec.refusal(group);
    if (!refusal) {
      found.push_back(&spec);
    } else if (wanted == spec.algorithm || runs_everything(spec)) {
      out.error(refusal->code, group.wiring.fabric().name(), "", 0, refusal->reason, refusal->hint);
    }
  }
  return found;
}

std::vector<Plan> plans_of_kind(const Group& group, CollectiveKind kind,
                                const std::vector<const AlgorithmSpec*>& specs,
                                std::optional<Algorithm> algorithm,
                                std::optional<Protocol> protocol) {
  const bool forced = std::any_of(specs.begin(), specs.end(), [&](const AlgorithmSpec* spec) {
    return algorithm == spec->algorithm && spec->runs(kind);
  });
  std::vector<Plan> found;
  for (const AlgorithmSpec* spec : specs) {
    if (!spec->runs(kind) || (forced && algorithm != spec->algorithm)) continue;
    for (Plan& plan : spec->plans(group, kind)) {
      if (!protocol || plan.protocol == *protocol) found.push_back(std::move(plan));
    }
  }
  return found;
}

}  // namespace

std::optional<PlanTable> PlanTable::create(const Group& group, std::optional<Algorithm> algorithm,
                                           std::optional<Protocol> protocol, Diagnostics& out) {
  const int errors = out.error_count();
  const std::vector<const AlgorithmSpec*> specs = usable(group, algorithm, out);
  if (out.error_count() > errors) return std::nullopt;
  PlanTable table;
  for (CollectiveKind kind : kKinds) {
    auto& plans = table.plans_[static_cast<std::size_t>(kind)];
    plans = plans_of_kind(group, kind, specs, algorithm, protocol);
    if (!plans.empty()) continue;
    out.error("no-protocol", group.wiring.fabric().name(), "", 0,
              "protocol " + std::string(to_string(*protocol)) + " cannot run " +
                  std::string(to_string(kind)) + " here",
              "leave the protocol out; ll128 needs NVLink and nvls needs simple");
    return std::nullopt;
  }
  return table;
}

const Plan& PlanTable::choose(CollectiveKind kind, Bytes payload) const {
  const std::vector<Plan>& plans = plans_[static_cast<std::size_t>(kind)];
  HEDDLE_CHECK(!plans.empty(), "every kind has a plan");
  return *std::min_element(plans.begin(), plans.end(), [&](const Plan& a, const Plan& b) {
    return a.estimate(payload) < b.estimate(payload);
  });
}

}  // namespace heddle::collective
