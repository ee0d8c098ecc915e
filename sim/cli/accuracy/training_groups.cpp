#include <algorithm>
#include <map>

#include "sim/cli/accuracy/training_report.h"

namespace heddle::cli::accuracy {
namespace {

constexpr double kAlike = 1.05;  // throughputs within 5 % are a tie

struct NamedErrors {
  std::string name;
  Errors errors;
};

/// In order of first appearance.
Errors& errors_of(const std::string& name, std::vector<NamedErrors>& parts) {
  for (NamedErrors& part : parts) {
    if (part.name == name) return part.errors;
  }
  return parts.emplace_back(NamedErrors{name, {}}).errors;
}

void add_groups(const std::vector<NamedErrors>& parts, const std::string& by, bool is_primary,
                std::vector<ScoredGroup>& groups) {
  for (const NamedErrors& part : parts) {
    groups.push_back({by, statistics(part.name, part.errors), is_primary});
  }
}

/// Throughput per GPU, measured and predicted.
struct Rate {
  double measured = 0;
  double predicted = 0;
};

Rate rate_of(const TrainingScore& score) {
  const double measured = *score.measured.tokens_per_s;
  return {measured, measured * *score.measured.step_s / score.predicted_s};
}

std::map<std::string, std::vector<Rate>> comparable(const TrainingScores& scores) {
  std::map<std::string, std::vector<Rate>> rates;
  for (const TrainingScore& score : scores.records) {
    if (!score.scored || !score.measured.tokens_per_s) continue;
    rates[score.family() + '/' + score.measured.group].push_back(rate_of(score));
  }
  std::erase_if(rates, [](const auto& entry) { return entry.second.size() < 2; });
  return rates;
}

void count_pairs(const std::vector<Rate>& rates, TrainingRanking& ranking) {
  for (std::size_t i = 0; i < rates.size(); ++i) {
    for (std::size_t j = i + 1; j < rates.size(); ++j) {
      const Rate& fast = rates[i].measured > rates[j].measured ? rates[i] : rates[j];
      const Rate& slow = rates[i].measured > rates[j].measured ? rates[j] : rates[i];
      if (fast.measured <= kAlike * slow.measured) continue;
      ++ranking.pairs;
      if (fast.predicted > slow.predicted) ++ranking.ordered;
    }
  }
}

double regret_pct(const std::vector<Rate>& rates) {
  const auto best = [&rates](double Rate::*rate) {
    return std::max_element(rates.begin(), rates.end(),
                            [rate](const Rate& a, const Rate& b) { return a.*rate < b.*rate; });
  };
  return 100 * (1 - best(&Rate::predicted)->measured / best(&Rate::measured)->measured);
}

}  // namespace

std::vector<ScoredGroup> training_groups(const TrainingScores& scores) {
  std::vector<NamedErrors> families;
  std::vector<NamedErrors> nodes;
  std::vector<NamedErrors> left_out;
  for (const TrainingScore& score : scores.records) {
    if (!score.scored) continue;
    errors_of(score.family(), families).add(score.error_pct);
    errors_of(score.measured.nodes == 1 ? "one" : "many", nodes).add(score.error_pct);
    if (score.left_out_error_pct) {
      errors_of(score.family(), left_out).add(*score.left_out_error_pct);
    }
  }
  std::vector<ScoredGroup> groups;
  add_groups(families, "family", true, groups);
  add_groups(nodes, "nodes", false, groups);
  add_groups(left_out, "left out", false, groups);
  return groups;
}

double TrainingRanking::ordered_pct() const {
  return pairs == 0 ? 0 : 100.0 * static_cast<double>(ordered) / static_cast<double>(pairs);
}

TrainingRanking training_ranking(const TrainingScores& scores) {
  TrainingRanking ranking;
  double regrets = 0;
  for (const auto& [name, rates] : comparable(scores)) {
    ++ranking.groups;
    count_pairs(rates, ranking);
    regrets += regret_pct(rates);
    ranking.worst_regret_pct = std::max(ranking.worst_regret_pct, regret_pct(rates));
  }
  if (ranking.groups > 0) ranking.mean_regret_pct = regrets / static_cast<double>(ranking.groups);
  ranking.rank_correlation = 2 * ranking.ordered_pct() / 100 - 1;
  return ranking;
}

}  // namespace heddle::cli::accuracy
