#pragma once
// Measured memory against predictions: every point ends as a record or as unsupported with its
// reason.
//
// Verdicts are judged on the quantity that was measured: [low, high] is the prediction with the
// error of kMemoryErrors. A GPU with 97 % of what was measured must not be said to suffice
// (high > 0.97 measured), one with 110 % should not be refused (low <= 1.10 measured).

#include <string>
#include <vector>

#include "sim/cli/accuracy/memory_plan.h"
#include "sim/cli/accuracy/memory_points.h"
#include "sim/cli/accuracy/outcomes.h"
#include "sim/cli/accuracy/record.h"
#include "sim/io/json_writer.h"

namespace heddle::cli::accuracy {

struct MemoryRecord {
  std::string id;
  std::string family;    // of training records, else the scenario it stands in
  std::string group;     // "allocated", "reserved, expandable", "reserved, default", "overheads",
                         // "partial configuration"
  bool partial = false;  // shown, not scored
  MemoryReading read = MemoryReading::kPeakAllocated;
  double predicted = 0;  // bytes, or copies
  double measured = 0;
  double error_pct = 0;  // signed
  double low = 0;
  double high = 0;
  std::string peak_at;  // of peak readings
  std::vector<std::string> assumptions;

  bool unsafe_at_97() const { return high <= 0.97 * measured; }
  bool refused_at_110() const { return low > 1.10 * measured; }
};

struct MemoryScores {
  std::vector<MemoryRecord> records;
  std::vector<Unsupported> unsupported;
};

MemoryScores score_memory(const std::vector<MemoryPoint>& points,
                          const std::vector<MemoryPlanRow>& plan, Outcomes& outcomes);

struct MemoryGroup : ScoredGroup {
  double worst_abs_pct = 0;
};

/// "quantity" (primary), then "family".
std::vector<MemoryGroup> memory_groups(const MemoryScores& scores);

/// Per record, then the groups, verdicts and what is not predicted.
std::string memory_score_table(const MemoryScores& scores);
/// The fields of schema heddle.accuracy/1, into an object that is open.
void write_memory_score(const MemoryScores& scores, io::JsonWriter& json);

}  // namespace heddle::cli::accuracy
