#include "sim/model/interference.h"

#include <algorithm>
#include <cmath>

#include "sim/model/compute_model.h"

namespace heddle::model {
namespace {

using schedule::Kernel;
using schedule::KernelKind;

constexpr double kWaveSoftening = 0.85;
// A collective never takes everything: the hardware scheduler and the memory controller are fair.
constexpr double kLargestShare = 0.75;

/// How much longer the arithmetic takes on the SMs that are left.
double arithmetic_factor(const Kernel& kernel, const GpuModel& gpu, int sms_left) {
  const double fewer_sms = static_cast<double>(gpu.sm_count) / sms_left;
  if (kernel.kind != KernelKind::kGemm) return fewer_sms;
  GpuModel rest = gpu;
  rest.sm_count = sms_left;
  const double alone = gemm_shape_efficiency(kernel.m, kernel.n, kernel.k, kernel.batch, gpu);
  const double beside = gemm_shape_efficiency(kernel.m, kernel.n, kernel.k, kernel.batch, rest);
  return std::max(fewer_sms, kWaveSoftening * fewer_sms * alone / beside);
}

double memory_factor(const GpuModel& gpu, Bandwidth used) {
  const auto total = static_cast<double>(scale(gpu.hbm, gpu.hbm_efficiency).bytes_per_second);
  const double taken = std::min(static_cast<double>(used.bytes_per_second), kLargestShare * total);
  return total / (total - taken);
}

Duration stretched(Duration alone, double factor) {
  return duration_from_seconds(alone.seconds() * factor);
}

}  // namespace

Duration kernel_time_beside(const Kernel& kernel, const GpuModel& gpu,
                            const Interference& interference) {
  const KernelParts parts = kernel_parts(kernel, gpu);
  const int most = static_cast<int>(kLargestShare * gpu.sm_count);
  const int sms_left = gpu.sm_count - std::min(interference.ctas, most);
  Duration time = parts.floor;
  if (parts.memory.ps > 0) {
    time = std::max(time, stretched(parts.memory, memory_factor(gpu, interference.hbm)));
  }
  if (parts.flops.ps > 0) {
    time = std::max(time, stretched(parts.flops, arithmetic_factor(kernel, gpu, sms_left)));
  }
  const Duration alone = kernel_time(kernel, gpu).duration;
  const auto lost = static_cast<double>(std::max(Duration{}, time - alone).ps);
  return alone + Duration{std::llround(lost * gpu.overlap_cost)};
}

}  // namespace heddle::model
