#pragma once
// A validator's report (heddle.validation/1, validator/README.md) as the window shows it.
//
// error = predicted / measured - 1, from the report's own times, so that what is shown is what was
// measured and not what somebody wrote beside it.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/schedule/op.h"

namespace heddle::gui {

/// Seconds, or bytes.
struct ReportRow {
  std::string name;
  int calls = 0;  // of a class of ops, per rank and step; 0 otherwise
  double predicted = 0;
  double measured = 0;
  /// 0.1: predicted 10 % too long; nothing where nothing was measured.
  std::optional<double> error() const;
};

struct ReportSpan {
  std::uint32_t op = 0;
  std::int64_t start = 0;  // ps into the step
  std::int64_t end = 0;
};

struct ReportLane {
  int rank = 0;
  int ranks = 1;       // how many it stands for
  std::string stream;  // "compute"
  std::vector<ReportSpan> spans;
};

struct ReportOp {
  std::uint32_t op = 0;
  std::string name;  // "q_proj"
  std::string phase;
  int layer = -1;
  std::string kind;  // "gemm", "all_gather"
};

struct ReportStep {
  ReportRow whole;
  double p10 = 0;  // seconds
  double p90 = 0;
  int samples = 0;
  bool noisy = false;
  double drift = 0;
  double tolerance = 0;  // of the error of the step
};

/// Right after an Alloc or Free.
struct ReportMoment {
  std::uint32_t op = 0;
  std::int64_t measured = 0;
  std::array<std::int64_t, schedule::kCategoryCount> predicted{};
};

struct ReportMemory {
  int boundaries = 0;
  int differing = 0;
  ReportRow peak;
  std::int64_t growth = 0;  // of the process, bytes
  bool growth_agrees = true;
  std::vector<ReportRow> categories;     // at the peak
  std::vector<std::string> differences;  // in words
  int rank = -1;                         // of the moments; -1: the report has none
  std::vector<ReportMoment> moments;
};

enum class ReportVerdict : std::uint8_t { kAgrees, kDisagrees, kNotMeasured };

struct ValidationReport {
  std::string file;
  ReportVerdict verdict = ReportVerdict::kNotMeasured;
  std::vector<std::string> reasons;
  std::vector<std::string> flight;  // the last ops of every rank, if it failed
  bool complete = true;
  std::string scenario;
  std::string case_id;
  std::string backend;
  int ranks = 0;
  double scale = 1;
  std::vector<std::pair<std::string, std::string>> environment;  // name, value with its unit
  std::optional<ReportStep> step;                                // absent: no time was measured
  std::vector<ReportRow> classes;
  std::vector<ReportRow> phases;
  std::vector<double> rank_steps;  // median seconds, by rank
  std::optional<ReportMemory> memory;
  std::vector<ReportLane> predicted;
  std::vector<ReportLane> measured;
  std::vector<ReportOp> ops;  // by op
};

/// Whether a text says of itself that it is such a report; nothing else of it is looked at.
bool names_validation(const std::string& text);

/// nullopt and errors if it is none, or if its parts are about different numbers of ranks.
std::optional<ValidationReport> read_validation_report(const std::string& text,
                                                       const std::string& file, Diagnostics& out);

}  // namespace heddle::gui
