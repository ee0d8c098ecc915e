#pragma once
// How each anchor is predicted: which scenario, which cases, which quantity. Data, read strictly
// from scenarios/accuracy/*.json (schema heddle.accuracy-plan/1), so that a reader can see and
// change the mapping without the program's source.

#include <string>
#include <variant>
#include <vector>

#include "sim/base/units.h"
#include "sim/cli/accuracy/anchors.h"
#include "sim/cli/study_loader.h"
#include "sim/run/scenario.h"

namespace heddle::cli::accuracy {

enum class MemoryQuantity { kPeakAllocated, kResident };

/// Another reading shown beside the scored one, under more overrides.
struct MemoryExtra {
  std::string text;
  MemoryQuantity read = MemoryQuantity::kPeakAllocated;
  std::vector<std::string> overrides;  // besides the row's, as --set takes them
};

struct MemoryRow {
  StudyRequest study;  // file: within the scenarios folder
  std::string case_id;
  MemoryQuantity read = MemoryQuantity::kPeakAllocated;
  std::vector<MemoryExtra> also;
};

/// An accounting, not a simulation: bytes per parameter times parameters, over the ranks if
/// sharded.
struct StateRow {
  StudyRequest study;
  std::string case_id;
  std::int64_t bytes_per_parameter = 0;
  bool sharded = false;
};

/// All-reduce bus bandwidth; with `against_p2p_off`, its ratio to the same with P2P off.
struct BusbwRow {
  run::FabricChoice place;
  Bytes size;
  bool against_p2p_off = false;
};

/// Throughput of one case over another's.
struct Ratio {
  std::string name;
  std::string of;
  std::string over;
  bool scored = true;  // false: only for the rules
};

/// Every ratio named in `less` is below every one named in `than`.
struct Rule {
  std::string text;
  std::vector<std::string> less;
  std::vector<std::string> than;
};

struct ThroughputRow {
  StudyRequest study;
  std::vector<Ratio> ratios;
  std::vector<Rule> rules;
};

/// Spread (fastest over slowest, minus 1) of some cases' throughput over that of others.
struct SpreadRow {
  StudyRequest study;
  std::vector<std::string> of;
  std::vector<std::string> over;
};

struct PlanEntry {
  std::string id;  // the anchor's
  std::variant<MemoryRow, StateRow, BusbwRow, ThroughputRow, SpreadRow> row;
  std::optional<Measured> expect;  // our reading of an anchor told in words
  std::vector<std::string> assumptions;
};

/// nullopt and every problem found.
std::optional<std::vector<PlanEntry>> read_plan(std::string_view text, const std::string& file,
                                                Diagnostics& out);

}  // namespace heddle::cli::accuracy
