#pragma once
// Time of a kernel on a GPU by itself:
//
//   t = max(flops / (peak * e_shape), bytes / (B_hbm * e_mem), launches * t_min)
//   GEMM       e_shape = e_0 * tile * wave * depth
//     tile  = M N / (ceil(M/tm) tm ceil(N/tn) tn), tiles tried in both orientations
//     wave  = tiles / (SM ceil(tiles/SM)), softened by split-K when tiles < SM/2
//     depth = K / (K + 256)
//   attention  e = e_inf * s / (s + s_half); s_half 200, causal 550; backward 0.8 of it
//
// Source: NVIDIA matrix multiplication guide; network_model notes section 5; FlashAttention-3
// (arXiv 2407.08608). Valid for one kernel alone; what collectives take away is not in it.

#include "sim/base/units.h"
#include "sim/model/gpu.h"
#include "sim/schedule/kernel.h"

namespace heddle::model {

enum class KernelBound { kFlops, kMemory, kFloor };

struct KernelTime {
  Duration duration;
  KernelBound bound = KernelBound::kMemory;
};

/// What the kernel would take if only one thing limited it; its time is the largest.
struct KernelParts {
  Duration floor;   // launches * t_min
  Duration memory;  // bytes / achieved HBM bandwidth
  Duration flops;   // flops / achieved peak
};

KernelParts kernel_parts(const schedule::Kernel& kernel, const GpuModel& gpu);
KernelTime kernel_time(const schedule::Kernel& kernel, const GpuModel& gpu);

/// e_shape of a GEMM, (0, 1]; exposed for tests and `heddle explain`.
double gemm_shape_efficiency(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t batch,
                             const GpuModel& gpu);

}  // namespace heddle::model
