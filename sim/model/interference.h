#pragma once
// A kernel beside a running collective. The collective's CTAs sit on SMs and its copies use HBM:
//
//   GEMM       t * max(SM / (SM - c), 0.85 * waves(SM - c) / waves(SM)) with the best tile of each;
//              0.85: persistent and stream-K kernels soften the wave rule
//   attention  t * SM / (SM - c)
//   memory     bytes / (B - b), B what streaming kernels achieve alone, b what the collective uses
//
// Checked against a one-wave GEMM beside an all-gather on H100 (80 % to 47 % of peak, NVIDIA forum
// 337991) and the mean slowdown of 19 % under overlap (arXiv 2507.03114). Power is not modelled.

#include "sim/base/units.h"
#include "sim/model/gpu.h"
#include "sim/schedule/kernel.h"

namespace heddle::model {

/// What a collective takes from each GPU it runs on.
struct Interference {
  int ctas = 0;   // SMs held
  Bandwidth hbm;  // read plus write
};

/// Time of the kernel if the collective ran all along; never below its time alone.
Duration kernel_time_beside(const schedule::Kernel& kernel, const GpuModel& gpu,
                            const Interference& interference);

}  // namespace heddle::model
