#pragma once
// What there is to compare on a GPU beside allocated bytes and times: what the caching allocator
// took, what the GPU says is in use, what events round every op cost, and the machine as NCCL sees
// it.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/engine/run_result.h"
#include "validator/execute/rank_runner.h"
#include "validator/judge/statistics.h"

namespace heddle::judge {

/// |predicted / measured - 1| of reserved memory up to which they agree.
inline constexpr double kReservedTolerance = 0.02;

struct GpuFindings {
  bool is_shared = false;    // by all ranks: what the GPU says is everybody's
  Bytes predicted_reserved;  // peak, of the fullest rank
  Bytes measured_reserved;   // the same, by the allocator whose segments are real; in the repeat
                             // next to the median
  Bytes checked_reserved;    // the same in the check, when the GPU was asked, of all that share it
  std::optional<Summary> quiet;  // steps without events round ops, seconds
  std::string topology;          // NCCL's own description; "" if it wrote none
  std::string machine;           // what our importer makes of it: "8 GPUs, 4 NICs", or why nothing

  double reserved_error() const;  // predicted / measured - 1
  bool reserved_agrees() const;
  /// How much longer a step is for being timed op by op.
  double probe_effect(double median_step) const;
};

/// Of the fullest rank, from a run that replayed the allocator.
Bytes peak_reserved(const engine::RunResult& predicted);
Bytes peak_reserved(std::span<const execute::RankRun> runs);
/// Reads what NCCL left at `path`, if it did.
void read_topology(const std::string& path, GpuFindings& findings);

}  // namespace heddle::judge
