#pragma once
// How much memory the fullest GPU of a case needs: four quantities that are often mixed up, when
// the peak is, what is alive then, and whether it fits.
//
//   resident    allocated right after the optimizer step
//   allocated   peak of what tensors hold                       torch.cuda.max_memory_allocated
//   active      and freed blocks that other streams still use   active_bytes.all.peak
//   reserved    peak of what the caching allocator took         torch.cuda.max_memory_reserved
//   driver      reserved + CUDA context + NCCL                  nvidia-smi
//
//   low  = active (1 - e) + overheads (1 - s)      no packing can do with less
//   high = reserved (1 + e_r) + overheads (1 + s)
//   usable = capacity - headroom, within per_process_memory_fraction if that is set
//   fits: high <= usable, and the allocator never had to release its cache
//   does not fit: low > usable        else: too close to call

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/allocator/allocator_config.h"
#include "sim/base/units.h"
#include "sim/engine/run_result.h"
#include "sim/schedule/schedule.h"

namespace heddle::run {

enum class Verdict { kFits, kTooClose, kDoesNotFit };
std::string_view to_string(Verdict verdict);  // "fits", "too_close", "does_not_fit"

/// Relative errors behind the interval: 90th percentiles of |error| over published measurements as
/// `heddle accuracy memory_points.json` prints them (tests/accuracy/memory holds them to that).
struct MemoryErrors {
  double active = 0.05;
  double reserved_default = 0.15;
  double reserved_expandable = 0.05;
  double overheads = 0.30;  // of context and NCCL: assumed values of hw_models/gpus, sigma 20-40 %
};
inline constexpr MemoryErrors kMemoryErrors;

/// Buffers of one name and category, all layers together.
struct AliveBuffers {
  std::string name;
  schedule::MemoryCategory category = schedule::MemoryCategory::kTemporary;
  int count = 0;
  Bytes bytes;
};

struct StepMemory {
  Bytes allocated;
  Bytes active;
  Bytes reserved;
  Bytes resident;  // after the optimizer
};

struct MemoryReport {
  Bytes resident;  // of the last step
  Bytes peak_allocated;
  Bytes peak_active;
  Bytes peak_reserved;
  schedule::Label peak_at;  // phase, layer, op of the peak of allocated
  std::array<Bytes, schedule::kCategoryCount> at_peak{};
  std::array<Bytes, schedule::kCategoryCount> at_resident{};
  std::vector<AliveBuffers> alive;           // at the peak, largest first
  std::vector<AliveBuffers> resident_alive;  // after the last optimizer step
  std::vector<StepMemory> steps;             // step 0 makes states and buckets, the last is steady
  std::int64_t retries = 0;   // requests that were met only after the cache was released
  std::string out_of_memory;  // where the allocator ran out, "" if it did not
  Bytes context;              // CUDA context, outside the allocator
  Bytes nccl;                 // NCCL buffers, outside the allocator
  Bytes headroom;             // kept free
  Bytes capacity;             // what the driver reports
  Bytes usable;               // of the capacity: without headroom, within the process's fraction
  Bytes low;                  // of the driver's view, see above
  Bytes high;
  Verdict verdict = Verdict::kTooClose;

  Bytes driver() const { return peak_reserved + context + nccl; }
  Bytes needed() const { return driver() + headroom; }
  bool fits() const { return verdict == Verdict::kFits; }
};

/// "backward, layer 3, q_proj"
std::string moment_text(const schedule::Label& label);

struct MemoryLimits {
  Bytes context;
  Bytes nccl;
  Bytes headroom;
  Bytes capacity;
  allocator::AllocatorConfig allocator;
  /// What a job may take in the driver's view.
  Bytes usable() const;
  /// The allocator's settings for a device of for_allocator(): PyTorch takes the process's fraction
  /// of the whole device.
  allocator::AllocatorConfig for_replay() const;
  /// What is left for the allocator; one byte where there is no room, since 0 means no limit.
  Bytes for_allocator() const { return std::max(Bytes{1}, capacity - context - nccl - headroom); }
};

/// Of the rank with the highest peak. `run` must hold the allocator's replay.
MemoryReport measure_memory(const schedule::Schedule& schedule, const engine::RunResult& run,
                            const MemoryLimits& limits);

}  // namespace heddle::run
