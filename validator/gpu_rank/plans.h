#pragma once
// What each rank is about to run on each communicator, told to all before anything runs: NCCL does
// not notice members that disagree, it hangs or mixes up data.

#include <cstdint>
#include <string>
#include <vector>

#include "sim/schedule/schedule.h"
#include "validator/gpu/gpu.h"

namespace heddle::gpu_rank {

/// For the others to compare.
std::string plan_text(const schedule::Schedule& schedule, int rank);
/// kMismatch, naming both sides, at the first collective that two members see differently. A member
/// that just stops early is not seen: that is what deadlines are for.
gpu::Problem compare_plans(const schedule::Schedule& schedule, int rank,
                           const std::vector<std::string>& plans);
/// Of each kind on each communicator the largest collective that all members run: indices of ops in
/// the rank's program, in an order that all ranks share.
std::vector<std::uint32_t> largest_common(const schedule::Schedule& schedule, int rank,
                                          const std::vector<std::string>& plans);

}  // namespace heddle::gpu_rank
