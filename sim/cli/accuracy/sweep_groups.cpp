#include "sim/cli/accuracy/sweep_groups.h"

#include <map>

namespace heddle::cli::accuracy {
namespace {

using Name = std::string (*)(const SweepScore& score);

std::string no_name(const SweepScore&) {
  return "";
}

std::string gpu_name(const SweepScore& score) {
  return score.gpu_kind;
}

std::string collective_name(const SweepScore& score) {
  return std::string(schedule::to_string(score.kind));
}

std::string nodes_name(const SweepScore& score) {
  return score.nodes == 1 ? "one node" : "many nodes";
}

void add_groups(const SweepScores& scores, const char* by, Name name,
                std::vector<ScoredGroup>& groups) {
  for (const SizeClass size : kSizeClasses) {
    std::map<std::string, Errors> errors;
    for (const SweepScore& score : scores.records) {
      const auto error = score.error(size);
      if (score.standing != Standing::kScored || !error) continue;
      errors[name(score)].add(error->median_abs_pct, error->median_signed_pct);
    }
    for (const auto& [key, of] : errors) {
      const std::string title = key.empty() ? to_string(size) : key + ", " + to_string(size);
      groups.push_back({by, statistics(title, of), key.empty()});
    }
  }
}

}  // namespace

std::vector<ScoredGroup> sweep_groups(const SweepScores& scores) {
  std::vector<ScoredGroup> groups;
  add_groups(scores, "size", no_name, groups);
  add_groups(scores, "gpu", gpu_name, groups);
  add_groups(scores, "collective", collective_name, groups);
  add_groups(scores, "nodes", nodes_name, groups);
  Errors factors;
  for (const SiblingFactor& factor : scores.factors) factors.add(factor.error_pct());
  if (!factors.absolute.empty()) {
    groups.push_back({"forced", statistics("factor of forced ways", factors), false});
  }
  return groups;
}

}  // namespace heddle::cli::accuracy
