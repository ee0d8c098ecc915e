#include "sim/model/interference.h"

#include <gtest/gtest.h>

#include "sim/model/compute_model.h"

namespace heddle::model {
namespace {

GpuModel hopper() {
  GpuModel gpu;
  gpu.name = "test";
  gpu.hbm = {4'800'000'000'000};
  gpu.hbm_efficiency = 0.9;
  gpu.sm_count = 132;
  gpu.peak.fill({989e12});
  gpu.gemm_efficiency = 0.85;
  gpu.tile_m = 128;
  gpu.tile_n = 128;
  gpu.attention_efficiency = 0.4;
  return gpu;
}

schedule::Kernel gemm(std::int64_t m, std::int64_t n, std::int64_t k) {
  schedule::Kernel kernel;
  kernel.kind = schedule::KernelKind::kGemm;
  kernel.m = m;
  kernel.n = n;
  kernel.k = k;
  kernel.flops = {2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k)};
  return kernel;
}

double factor(const schedule::Kernel& kernel, const Interference& interference) {
  const GpuModel gpu = hopper();
  return kernel_time_beside(kernel, gpu, interference).seconds() /
         kernel_time(kernel, gpu).duration.seconds();
}

// 12 x 11 = 132 tiles of 128 x 128 fill 132 SMs exactly: one wave alone, two on 108 SMs. Softened:
// 0.85 * 2 = 1.7, the measurement it is fitted to.
TEST(Interference, OneWaveGemmFallsOffTheCliff) {
  EXPECT_NEAR(factor(gemm(1536, 1408, 8192), {24, {}}), 1.7, 1e-6);
}

// 64 x 64 = 4096 tiles: 32 waves alone (31.03 rounded up), 38 on 108 SMs: 0.85 * 38 / 32 = 1.009,
// so the loss of SMs itself, 132 / 108 = 1.222, decides.
TEST(Interference, ManyWaveGemmLosesTheSmsOnly) {
  EXPECT_NEAR(factor(gemm(8192, 8192, 8192), {24, {}}), 132.0 / 108.0, 1e-6);
}

// Alone 4.32 TB/s; a ring at 330 GB/s bus takes about 1 TB/s: 4.32 / 3.33 = 1.297.
TEST(Interference, MemoryBoundKernelsShareHbm) {
  schedule::Kernel copy;
  copy.bytes = {1'000'000'000};
  EXPECT_NEAR(factor(copy, {24, {990'000'000'000}}), 4.32 / 3.33, 1e-4);
}

// A kernel whose memory time is close below its arithmetic time becomes memory-bound beside a
// collective that only uses HBM: each limit is stretched by itself.
TEST(Interference, TheOtherLimitCanTakeOver) {
  const GpuModel gpu = hopper();
  schedule::Kernel kernel = gemm(4096, 4096, 4096);
  const KernelParts alone = kernel_parts(kernel, gpu);
  kernel.bytes = {static_cast<std::int64_t>(alone.flops.seconds() * 0.9 * 4.32e12)};
  // Memory time 0.9 of the arithmetic, times 4.32 / (4.32 - 1.44) = 1.5: 1.35.
  EXPECT_NEAR(factor(kernel, {0, {1'440'000'000'000}}), 1.35, 1e-3);
}

// What is lost beside a collective, times a factor: 1 + 3 (132 / 108 - 1).
TEST(Interference, OverlapCostMultipliesWhatIsLost) {
  GpuModel gpu = hopper();
  gpu.overlap_cost = 3;
  const schedule::Kernel kernel = gemm(8192, 8192, 8192);
  const double beside = kernel_time_beside(kernel, gpu, {24, {}}).seconds();
  EXPECT_NEAR(beside / kernel_time(kernel, gpu).duration.seconds(), 1 + 3 * (132.0 / 108.0 - 1),
              1e-6);
}

TEST(Interference, NothingBesideChangesNothing) {
  EXPECT_EQ(factor(gemm(1024, 4096, 4096), {}), 1.0);
}

TEST(Interference, NeverTakesTheWholeGpu) {
  EXPECT_LT(factor(gemm(8192, 8192, 8192), {1000, {}}), 5.0);
}

}  // namespace
}  // namespace heddle::model
