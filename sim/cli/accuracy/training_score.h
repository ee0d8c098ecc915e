#pragma once
// Measured training runs against predictions: every data-parallel record of grade A or B ends as a
// score or as unsupported with its reason. Error: predicted over measured step time, minus 1.

#include <optional>
#include <string>
#include <vector>

#include "sim/base/units.h"
#include "sim/cli/accuracy/record.h"
#include "sim/cli/accuracy/training_rules.h"
#include "sim/cli/environment.h"
#include "sim/run/memory_report.h"

namespace heddle::cli::accuracy {

/// Where the predicted step goes, seconds; they add up to it, `attention` apart.
struct StepParts {
  double arithmetic = 0;  // kernels alone: bound by the tensor cores
  double attention = 0;   // part of arithmetic: fused attention
  double memory = 0;      // kernels alone: bound by HBM
  double floor = 0;       // kernels alone: too small to matter
  double slowed = 0;      // what collectives beside kernels cost those
  double exposed = 0;     // waiting for collectives
  double host = 0;        // waiting for the host
  double other = 0;
};

struct TrainingScore {
  TrainingRecord measured;
  TrainingStory story;
  double predicted_s = 0;
  double error_pct = 0;  // signed
  /// Without what was fitted to its own family; absent where nothing was.
  std::optional<double> left_out_error_pct;
  StepParts parts;
  run::Verdict verdict = run::Verdict::kFits;
  bool scored = true;  // not noisy, and its configuration is told in full

  const std::string& family() const { return measured.family; }
};

struct TrainingScores {
  std::vector<TrainingScore> records;  // in the file's order
  std::vector<Unsupported> unsupported;
  std::size_t peaks_only = 0;  // records that give a peak and no time: among the memory figures
};

TrainingScores score_training(const std::vector<TrainingRecord>& records,
                              const std::vector<TrainingRule>& rules, const Environment& env);

/// One record in full: the scenario to paste, what was assumed, where the time goes.
std::string training_story(const TrainingRecord& record, const std::vector<TrainingRule>& rules,
                           const Environment& env);

}  // namespace heddle::cli::accuracy
