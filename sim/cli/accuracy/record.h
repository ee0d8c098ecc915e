#pragma once
// One line of the accuracy table, and the statistics over lines.

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/cli/accuracy/anchors.h"

namespace heddle::cli::accuracy {

/// What was predicted for an anchor.
struct Prediction {
  std::string group;                 // "memory peak", "busbw", ...
  std::string quantity;              // with its unit: "peak allocated, GB"
  std::optional<double> value;       // none: only rules
  std::optional<bool> rules_met;     // none: no rules
  std::vector<std::string> figures;  // what stands behind the value, one line each
};

struct Record {
  std::string id;
  Prediction predicted;
  std::optional<Measured> measured;
  std::optional<double> error_pct;  // signed; 0 inside a measured range, else to its nearest end
  std::vector<std::string> assumptions;

  /// Inside the measured range and by the rules; nullopt where there is neither.
  std::optional<bool> relation_met() const;
};

struct Unsupported {
  std::string id;
  std::string reason;
};

struct GroupStatistics {
  std::string name;
  std::size_t n = 0;
  double median_abs_pct = 0;
  double mean_abs_pct = 0;
  double p90_abs_pct = 0;  // nearest rank
  double mean_signed_pct = 0;
};

/// Of at least one value; not sorted.
double median(std::vector<double> values);

/// Of at least one row; the two lists are of the same rows.
GroupStatistics statistics(const std::string& name, std::vector<double> absolute,
                           const std::vector<double>& with_sign);

/// Of each figure; n is the sum. Without groups: zeros.
GroupStatistics mean_of(const std::vector<GroupStatistics>& groups);

/// Errors of the rows of one group, percent.
struct Errors {
  std::vector<double> absolute;
  std::vector<double> with_sign;

  void add(double error_pct) { add(std::abs(error_pct), error_pct); }
  void add(double absolute_pct, double signed_pct) {
    absolute.push_back(absolute_pct);
    with_sign.push_back(signed_pct);
  }
};
GroupStatistics statistics(const std::string& name, const Errors& errors);

struct ScoredGroup {
  std::string by;  // what its rows have in common: "family", "size", ...
  GroupStatistics statistics;
  bool is_primary = false;  // in the overall
};

/// Mean over the primary groups, which are ScoredGroups.
template <typename Group>
GroupStatistics overall_of(const std::vector<Group>& groups) {
  std::vector<GroupStatistics> primary;
  for (const ScoredGroup& group : groups) {
    if (group.is_primary) primary.push_back(group.statistics);
  }
  return mean_of(primary);
}

std::optional<double> signed_error_pct(double predicted, const Measured& measured);

/// One per group that has records with an error, in order of first appearance.
std::vector<GroupStatistics> group_statistics(const std::vector<Record>& records);

/// State estimates are an accounting, not a prediction of a timeline: shown, but not in the
/// overall.
bool is_primary(const std::string& group);
inline constexpr const char* kStateGroup = "state estimate";

/// Mean over the primary groups of each figure, so that a group with many rows does not drown the
/// others; n is the number of rows behind it.
GroupStatistics overall_statistics(const std::vector<GroupStatistics>& groups);

}  // namespace heddle::cli::accuracy
