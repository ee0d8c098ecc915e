#pragma once
// A kernel beside a running collective. The collective's CTAs sit on SMs and its copies use HBM;
// each of the kernel's limits (compute_model.h) is stretched by its own factor and the largest
// decides:
//
//   GEMM       max(SM / (SM - c), 0.85 * waves(SM - c) / waves(SM)) with the best tile of each
//   attention  SM / (SM - c)
//   memory     B / (B - b), B what streaming kernels achieve alone, b what the collective uses
//   floor      1
//
// What is lost so is multiplied by the GPU's overlap_cost, 1 unless software says otherwise
// (hw_models/software): published training runs lose about three times as much wherever messages
// overlap, more than kernels beside collectives do by themselves; what else it is, is not known.
//
// c and b are at most 0.75 of the GPU: its schedulers are fair. 0.85 softens the wave rule for
// persistent and stream-K kernels; it is fitted to one measurement, a one-wave GEMM beside an
// all-gather on H100 that fell from 80 % to 47 % of peak (NVIDIA forum 337991). Power is not
// modelled.

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
