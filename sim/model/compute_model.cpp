#include "sim/model/compute_model.h"

#include <algorithm>

#include "sim/base/check.h"

namespace heddle::model {
namespace {

using schedule::Kernel;
using schedule::KernelKind;

// Sources in README.md, "Compute time".
constexpr double kDepthFill = 256;     // K at which the pipeline is half full; fp8 passes twice as
                                       // much in that time
constexpr double kHalfSequence = 200;  // s_half of fused attention
constexpr double kHalfSequenceCausal = 550;
constexpr double kCausalRate = 0.63 / 0.66;  // e_inf with a causal mask over without

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

double tile_and_wave(std::int64_t m, std::int64_t n, std::int64_t batch, std::int64_t tile_m,
                     std::int64_t tile_n, std::int64_t sm_count) {
  const std::int64_t rows = ceil_div(m, tile_m);
  const std::int64_t columns = ceil_div(n, tile_n);
  const double tile = static_cast<double>(m) * static_cast<double>(n) /
                      (static_cast<double>(rows * tile_m) * static_cast<double>(columns * tile_n));
  std::int64_t tiles = batch * rows * columns;
  // Split-K cuts K into as many parts as fit into one wave when half the GPU would idle.
  if (tiles * 2 < sm_count) tiles *= sm_count / tiles;
  const double wave =
      static_cast<double>(tiles) / static_cast<double>(sm_count * ceil_div(tiles, sm_count));
  return tile * wave;
}

double attention_efficiency(const Kernel& kernel, const GpuModel& gpu) {
  const auto s = static_cast<double>(kernel.n);
  double e =
      gpu.attention_efficiency * s / (s + (kernel.causal ? kHalfSequenceCausal : kHalfSequence));
  if (kernel.causal) e *= kCausalRate;
  if (kernel.backward) e *= gpu.attention_backward;
  return e;
}

double efficiency(const Kernel& kernel, const GpuModel& gpu) {
  if (kernel.kind == KernelKind::kAttention) return attention_efficiency(kernel, gpu);
  const bool fp8 = kernel.dtype == schedule::DType::kFloat8;
  const std::int64_t depth = fp8 ? (kernel.k + 1) / 2 : kernel.k;
  return (fp8 ? gpu.fp8_efficiency : gpu.gemm_efficiency) *
         gemm_shape_efficiency(kernel.m, kernel.n, depth, kernel.batch, gpu);
}

Duration flop_time(const Kernel& kernel, const GpuModel& gpu) {
  if (kernel.kind == KernelKind::kMemory || kernel.flops.value <= 0) return {};
  const FlopRate peak = gpu.peak_of(kernel.dtype);
  HEDDLE_CHECK(peak.flops_per_second > 0, "GPU " + gpu.name + " has no peak for this type");
  return kernel.flops / (peak * efficiency(kernel, gpu));
}

Duration memory_time(const Kernel& kernel, const GpuModel& gpu) {
  if (kernel.bytes.value <= 0) return {};
  return kernel.bytes / scale(gpu.hbm, gpu.hbm_efficiency);
}

}  // namespace

double gemm_shape_efficiency(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t batch,
                             const GpuModel& gpu) {
  HEDDLE_CHECK(m > 0 && n > 0 && k > 0 && batch > 0, "empty matrix product");
  HEDDLE_CHECK(gpu.sm_count > 0 && gpu.tile_m > 0 && gpu.tile_n > 0, "GPU without tiles");
  const std::int64_t small = std::min(gpu.tile_m, gpu.tile_n);
  const double best = std::max({tile_and_wave(m, n, batch, gpu.tile_m, gpu.tile_n, gpu.sm_count),
                                tile_and_wave(m, n, batch, gpu.tile_n, gpu.tile_m, gpu.sm_count),
                                tile_and_wave(m, n, batch, small, small, gpu.sm_count)});
  const auto depth = static_cast<double>(k);
  return best * depth / (depth + kDepthFill);
}

KernelParts kernel_parts(const Kernel& kernel, const GpuModel& gpu) {
  if (kernel.launches == 0) return {};
  return {gpu.kernel_floor * kernel.launches, memory_time(kernel, gpu), flop_time(kernel, gpu)};
}

KernelTime kernel_time(const Kernel& kernel, const GpuModel& gpu) {
  const KernelParts parts = kernel_parts(kernel, gpu);
  KernelTime best{parts.floor, KernelBound::kFloor};
  if (parts.memory > best.duration) best = {parts.memory, KernelBound::kMemory};
  if (parts.flops > best.duration) best = {parts.flops, KernelBound::kFlops};
  return best;
}

}  // namespace heddle::model
