#pragma once
// Statistics over scored training records, and their report.

#include <string>
#include <vector>

#include "sim/cli/accuracy/training_score.h"
#include "sim/io/json_writer.h"

namespace heddle::cli::accuracy {

/// "family", "nodes", "left out": by family (primary); by "one" or "many" machines; the families
/// that something was fitted to, as they come out without it.
std::vector<ScoredGroup> training_groups(const TrainingScores& scores);

/// Choice among comparable records (same `group`): pairs whose measured throughput per GPU differs
/// by more than 5 %, how many of them the prediction orders alike, and what picking the predicted
/// best of each group loses.
struct TrainingRanking {
  std::size_t groups = 0;
  std::size_t pairs = 0;
  std::size_t ordered = 0;
  double rank_correlation = 0;  // Kendall's tau over those pairs
  double mean_regret_pct = 0;   // throughput of the best less that of the predicted best
  double worst_regret_pct = 0;

  double ordered_pct() const;
};
TrainingRanking training_ranking(const TrainingScores& scores);

std::string training_score_table(const TrainingScores& scores);
/// The same without a line per record.
std::string training_summary(const TrainingScores& scores);
/// The fields of schema heddle.accuracy/1, into an object that is open.
void write_training_score(const TrainingScores& scores, io::JsonWriter& json);

}  // namespace heddle::cli::accuracy
