#include <gtest/gtest.h>

#include "sim/model/compute_model.h"

namespace heddle::model {
namespace {

GpuModel hopper() {
  GpuModel g;
  g.name = "hopper";
  g.sm_count = 132;
  g.tile_m = 128;
  g.tile_n = 256;
  g.gemm_efficiency = 0.85;
  g.attention_efficiency = 0.66;
  g.hbm = {4'800'000'000'000};
  g.hbm_efficiency = 0.9;
  g.peak.fill({989e12});
  g.kernel_floor = microseconds(2);
  return g;
}

GpuModel ampere() {
  GpuModel g = hopper();
  g.name = "ampere";
  g.sm_count = 108;
  g.tile_n = 128;
  g.peak.fill({312e12});
  return g;
}

// 64 x 32 = 2048 tiles in 16 waves of 132: 2048 / 2112; depth 8192 / 8448. 0.85 of it: 0.80.
TEST(GemmEfficiency, LargeCube) {
  const double e = gemm_shape_efficiency(8192, 8192, 8192, 1, hopper());
  EXPECT_DOUBLE_EQ(e, 2048.0 / 2112 * 8192 / 8448);
  EXPECT_NEAR(0.85 * e, 0.80, 0.005);
}

// 16 x 8 = 128 tiles in one wave of 132; depth 13312 / 13568. 0.84 of it: 0.80 measured.
TEST(GemmEfficiency, OneDeepWave) {
  const double e = gemm_shape_efficiency(2048, 2048, 13312, 1, hopper());
  EXPECT_DOUBLE_EQ(e, 128.0 / 132 * 13312 / 13568);
  EXPECT_NEAR(0.84 * e, 0.803, 0.005);
}

// 8 x 80 = 640 tiles in 6 waves of 108; depth 5120 / 5376. 0.92 of it: 0.869 measured.
TEST(GemmEfficiency, Ampere) {
  const double e = gemm_shape_efficiency(1024, 10240, 5120, 1, ampere());
  EXPECT_DOUBLE_EQ(e, 640.0 / 648 * 5120 / 5376);
  EXPECT_NEAR(0.92 * e, 0.869, 0.005);
}

// 128 x 256 gives 4 tiles, 128 x 128 gives 8, all full: split-K by 33 or 16 fills 132 or 128 SMs.
TEST(GemmEfficiency, SplitKFillsAnIdleGpu) {
  EXPECT_DOUBLE_EQ(gemm_shape_efficiency(256, 512, 256, 1, hopper()), 0.5);
}

// 256 x 128 fits 256 x 128 exactly; the other way round half of the tile is empty.
TEST(GemmEfficiency, OrientationOfTheTile) {
  EXPECT_DOUBLE_EQ(gemm_shape_efficiency(256, 128, 256, 132, hopper()), 0.5);
}

TEST(KernelTime, MemoryBound) {
  schedule::Kernel k;
  k.bytes = {43'200'000};  // 4.32 TB/s achieved: 10 us
  const KernelTime t = kernel_time(k, hopper());
  EXPECT_EQ(t.duration, microseconds(10));
  EXPECT_EQ(t.bound, KernelBound::kMemory);
}

TEST(KernelTime, EveryLaunchPaysTheFloor) {
  schedule::Kernel k;
  k.bytes = {1024};
  k.launches = 3;
  EXPECT_EQ(kernel_time(k, hopper()).duration, microseconds(6));
  EXPECT_EQ(kernel_time(k, hopper()).bound, KernelBound::kFloor);
  k.launches = 0;
  EXPECT_EQ(kernel_time(k, hopper()).duration, Duration{});
}

// Forward at s = 200: e = 0.66 x 200 / 400 = 0.33; backward 0.8 of that. Causal at s = 550:
// 0.63 / 2.
TEST(KernelTime, AttentionRate) {
  schedule::Kernel k;
  k.kind = schedule::KernelKind::kAttention;
  k.m = k.n = 200;
  k.k = 128;
  k.flops = {1e12};
  EXPECT_NEAR(kernel_time(k, hopper()).duration.seconds(), 1e12 / (989e12 * 0.33), 1e-9);
  k.backward = true;
  EXPECT_NEAR(kernel_time(k, hopper()).duration.seconds(), 1e12 / (989e12 * 0.264), 1e-9);
  k.backward = false;
  k.causal = true;
  k.m = k.n = 550;
  EXPECT_NEAR(kernel_time(k, hopper()).duration.seconds(), 1e12 / (989e12 * 0.315), 1e-9);
}

}  // namespace
}  // namespace heddle::model
