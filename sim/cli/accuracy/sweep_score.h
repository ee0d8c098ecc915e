#pragma once
// Measured sweeps against predictions: every record ends as a score or as unsupported with its
// reason. Error of a point: predicted over measured time, minus 1.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/accuracy/measured_sweep.h"
#include "sim/cli/accuracy/place_rules.h"
#include "sim/cli/accuracy/record.h"
#include "sim/cli/environment.h"
#include "sim/schedule/schedule.h"

namespace heddle::cli::accuracy {

/// By message size: >= 64 MiB, between, <= 64 KiB.
enum class SizeClass { kLarge, kMiddle, kSmall };
inline constexpr std::array kSizeClasses{SizeClass::kLarge, SizeClass::kMiddle, SizeClass::kSmall};
const char* to_string(SizeClass size);  // "large", "middle", "small"
SizeClass size_class(Bytes bytes);

/// What a sweep counts for. Only kScored are in the groups of sizes.
enum class Standing {
  kScored,
  kNotComparable,  // noisy, or measured on a machine that is told in part
  kCalibrated,     // with an overlay that was fitted on this very site
  kForced,         // a variable forces a way to run: judged beside its sibling without it
};
const char* to_string(Standing standing);

struct ScoredPoint {
  Bytes bytes;
  double measured_us = 0;
  double predicted_us = 0;
  double error_pct = 0;
};

/// Of the points of one size class.
struct ClassError {
  double median_abs_pct = 0;
  double median_signed_pct = 0;
};

struct SweepScore {
  MeasuredSweep measured;
  Standing standing = Standing::kScored;
  std::string machine;   // as read
  std::string gpu_kind;  // "H100-SXM"
  schedule::CollectiveKind kind = schedule::CollectiveKind::kAllReduce;
  int nodes = 1;  // machines of the model
  std::vector<ScoredPoint> points;
  std::vector<std::string> assumptions;

  /// nullopt: no points of that class.
  std::optional<ClassError> error(SizeClass size) const;
};

/// A forced way beside the same without it: how many times longer it takes, median over the sizes
/// that both have.
struct SiblingFactor {
  std::string id;
  std::string sibling;
  double measured = 0;
  double predicted = 0;

  double error_pct() const { return (predicted / measured - 1) * 100; }
  /// Slower, faster or, within 5 %, alike in both.
  bool same_direction() const;
};

struct SweepScores {
  std::vector<SweepScore> records;  // in the file's order
  std::vector<SiblingFactor> factors;
  std::vector<Unsupported> unsupported;
};

SweepScores score_sweeps(const std::vector<MeasuredSweep>& sweeps, const PlaceRules& rules,
                         const Environment& env);

}  // namespace heddle::cli::accuracy
