#include "sim/collective/plan_table.h"

#include <algorithm>
#include <set>
#include <string>

#include "sim/base/check.h"

namespace heddle::collective {
namespace {

using schedule::CollectiveKind;

/// An algorithm of the table, and why this group cannot run it.
struct Candidate {
  const AlgorithmSpec* spec = nullptr;
  std::optional<Refusal> refusal;
};

std::vector<Candidate> candidates_of(const Group& group) {
  std::vector<Candidate> all;
  for (const AlgorithmSpec& spec : algorithms()) all.push_back({&spec, spec.refusal(group)});
  return all;
}

/// Those that run the kind here; only the one asked for, if it is among them.
std::vector<const AlgorithmSpec*> usable(const std::vector<Candidate>& candidates,
                                         CollectiveKind kind, std::optional<Algorithm> wanted) {
  std::vector<const AlgorithmSpec*> found;
  for (const auto& [spec, refusal] : candidates) {
    if (refusal || !spec->runs(kind)) continue;
    if (spec->algorithm == wanted) return {spec};
    found.push_back(spec);
  }
  return found;
}

std::vector<Plan> plans_of(const Group& group, CollectiveKind kind,
                           const std::vector<const AlgorithmSpec*>& specs) {
  std::vector<Plan> found;
  for (const AlgorithmSpec* spec : specs) {
    for (Plan& plan : spec->plans(group, kind)) {
      const bool is_wanted = plan.protocol == group.settings.protocol.value_or(plan.protocol);
      if (is_wanted) found.push_back(std::move(plan));
    }
  }
  return found;
}

/// What stands in the way of a kind without plans.
Refusal obstacle(const Group& group, CollectiveKind kind, const std::vector<Candidate>& candidates,
                 bool is_usable) {
  if (is_usable) {
    return {"no-protocol",
            "protocol " + std::string(to_string(*group.settings.protocol)) + " cannot run " +
                std::string(to_string(kind)) + " here",
            "leave the protocol out; ll128 needs NVLink and nvls needs simple"};
  }
  for (const auto& [spec, refusal] : candidates) {
    if (refusal && spec->runs(kind)) return *refusal;
  }
  return {"no-algorithm", std::string(to_string(kind)) + " is not modelled", ""};
}

void report(const Group& group, const Refusal& refusal, std::set<std::string>& reported,
            Diagnostics& out) {
  if (!reported.insert(refusal.code).second) return;
  out.error(refusal.code, group.wiring.fabric().name(), "", 0, refusal.reason, refusal.hint);
}

}  // namespace

std::optional<PlanTable> PlanTable::create(const Group& group, Diagnostics& out) {
  const std::vector<Candidate> candidates = candidates_of(group);
  std::set<std::string> reported;
  for (const auto& [spec, refusal] : candidates) {
    if (refusal && spec->algorithm == group.settings.algorithm) {
      report(group, *refusal, reported, out);
    }
  }
  PlanTable table;
  for (CollectiveKind kind : schedule::kCollectiveKinds) {
    const auto specs = usable(candidates, kind, group.settings.algorithm);
    Entry& entry = table.entries_[static_cast<std::size_t>(kind)];
    entry.plans = plans_of(group, kind, specs);
    if (!entry.plans.empty()) continue;
    entry.refusal = obstacle(group, kind, candidates, !specs.empty());
    if (!schedule::is_point_to_point(kind)) report(group, *entry.refusal, reported, out);
  }
  if (!reported.empty()) return std::nullopt;
  return table;
}

const Plan& PlanTable::choose(CollectiveKind kind, Bytes payload) const {
  const std::vector<Plan>& plans = at(kind).plans;
  HEDDLE_CHECK(!plans.empty(), "nothing can run this kind here; see refusal()");
  return *std::min_element(plans.begin(), plans.end(), [&](const Plan& a, const Plan& b) {
    return a.estimate(payload) < b.estimate(payload);
  });
}

}  // namespace heddle::collective
