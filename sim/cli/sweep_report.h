#pragma once

#include <string>
#include <vector>

#include "sim/cli/options.h"
#include "sim/cli/sweep.h"

namespace heddle::cli {

struct SweepReport {
  const run::Machine& machine;
  collective::CommSettings comm;
  schedule::CollectiveKind kind = schedule::CollectiveKind::kAllReduce;
  std::vector<SweepPoint> points;
};

/// What runs where, and over which wires; two lines.
std::string sweep_title(const run::Machine& machine, const collective::CommSettings& comm,
                        schedule::CollectiveKind kind);

/// Schema heddle.collective/1.
std::string sweep_json(const SweepReport& report);

/// Table and CSV: nccl-tests' columns (size, time, algbw, busbw) and what was chosen.
std::string sweep_text(const SweepReport& report, Format format);

}  // namespace heddle::cli
