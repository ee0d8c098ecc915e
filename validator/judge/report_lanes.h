#pragma once
// The lanes of a heddle.validation/1 file: what each stream of each rank did in the last step, as
// predicted and as measured, for whoever draws them.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/diagnostics.h"

namespace heddle::judge {

struct LaneSpan {
  std::int64_t op = 0;
  double start = 0;  // seconds from the begin of the step
  double end = 0;
};

struct ReportLane {
  int rank = 0;   // the first it stands for
  int ranks = 1;  // how many
  std::string stream;
  std::vector<LaneSpan> spans;
};

struct LaneOp {
  std::int64_t op = 0;
  std::string name;
  std::string phase;
  std::int64_t layer = -1;
  std::string kind;  // "gemm", "all_reduce", ...
};

struct CategoryAtPeak {
  std::string category;
  double predicted = 0;  // bytes
  double measured = 0;
};

struct ReportLanes {
  std::string title;  // "nvswitch/ddp: 2 ranks on nccl"
  std::string verdict;
  std::vector<ReportLane> predicted;
  std::vector<ReportLane> measured;
  std::vector<LaneOp> ops;
  std::vector<CategoryAtPeak> categories;
};

/// nullopt for a file of another kind or without lanes; errors if it says it has some and they make
/// no sense.
std::optional<ReportLanes> read_lanes(const std::string& text, const std::string& file,
                                      Diagnostics& out);

}  // namespace heddle::judge
