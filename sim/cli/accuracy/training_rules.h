#pragma once
// How a measured training run becomes a scenario: ordered rules over a record's words, data in
// scenarios/accuracy/training.json (schema heddle.training-plan/1). Every rule that fits is laid
// over those before it as a merge patch; "$seq_len" stands for the record's value. Rules never read
// an id or a measured figure.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/cli/accuracy/text_pattern.h"
#include "sim/cli/accuracy/training_record.h"

namespace heddle::cli::accuracy {

struct TrainingRule {
  std::map<std::string, TextPattern> when;  // by the name of the record's value
  std::string unsupported;                  // a missing fact or an unmodelled feature
  std::string scenario;                     // merge patch, JSON text; or ""
  std::string fabric;                       // the same for the scenario's only fabric,
  std::string strategy;                     // its only strategy
  std::string config;                       // and the model's config.json
  std::vector<std::string> fitted_to;       // the families its values were fitted to
  std::vector<std::string> assumptions;
};

/// nullopt and every problem found.
std::optional<std::vector<TrainingRule>> read_training_rules(std::string_view text,
                                                             const std::string& file,
                                                             Diagnostics& out);

/// A record as a scenario, or why there is none.
struct TrainingStory {
  std::string unsupported;
  std::string scenario;  // JSON text; its model's config is kConfigName
  std::string config;    // JSON text
  bool fitted = false;   // a rule that fits was fitted to records of this family
  std::vector<std::string> assumptions;
};
inline constexpr const char* kConfigName = "config.json";

/// `leave_out`: without the rules that were fitted to the record's family.
TrainingStory tell(const TrainingRecord& record, const std::vector<TrainingRule>& rules,
                   bool leave_out);

}  // namespace heddle::cli::accuracy
