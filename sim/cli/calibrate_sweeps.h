#pragma once
// nccl-tests files as rows that a model can be held against.

#include <optional>
#include <string>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/io/import/nccl_tests.h"
#include "sim/schedule/schedule.h"

namespace heddle::cli {

/// A sweep whose collective and number of ranks are known, and its rows with a time above zero for
/// a size above zero (out of place), without wrong values.
struct UsableSweep {
  std::string file;
  int line = 0;
  schedule::CollectiveKind kind = schedule::CollectiveKind::kAllReduce;
  int ranks = 0;
  std::optional<std::string> nccl_version;
  std::string device;  // name of the first GPU listed; empty if none is
  std::vector<io::NcclTestsRow> rows;
};

struct SweepCollection {
  std::vector<UsableSweep> sweeps;
  std::vector<std::string> skipped;  // "a.txt:12: why"
};

/// Throws BadInput if a file is missing or faulty; doubts go to `doubts`. `ranks` stands in where
/// nothing in the file tells the number.
SweepCollection read_sweeps(const std::vector<std::string>& files, std::optional<int> ranks,
                            Diagnostics& doubts);

}  // namespace heddle::cli
