// fp8 linears: traffic of their casts and time of their products, worked out by hand.
#include "sim/model/float8.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sim/model/compute_check.h"
#include "sim/model/compute_model.h"
#include "tests/unit/model/specs.h"

namespace heddle::model {
namespace {

TEST(Float8, ReadsTwoBytesAndWritesBothDirections) {
  EXPECT_EQ(fp8_cast(Float8::kDelayed, 1024).bytes, 1024 * (2 + 1 + 1));
  EXPECT_EQ(fp8_cast(Float8::kDelayed, 1024).kernels, 1);
  EXPECT_EQ(fp8_cast(Float8::kCurrent, 1024).bytes, 1024 * (2 + 2 + 1 + 1));
  EXPECT_EQ(fp8_cast(Float8::kCurrent, 1024).kernels, 2);
  EXPECT_EQ(fp8_cast(Float8::kBlock, 1024).bytes, 1024 * (2 + 1 + 1) + 2 * 1024 / 32);
  EXPECT_EQ(fp8_bytes(Float8::kBlock, 1024), 1024 + 32);
}

const Row& row_of(const std::vector<Row>& rows, const std::string& name) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.name == name; });
  EXPECT_NE(found, rows.end()) << name;
  return *found;
}

/// Of Mistral 7B, 4096 x 14336 weights in the MLP, 1024 tokens.
TEST(Float8, LinearsOfLayersMultiplyInFloat8AndTheHeadDoesNot) {
  const auto g = build_model_graph(testing::mistral_7b(), {1, 1024}, {.fp8 = Float8::kDelayed});
  const Module& layer = g.modules[1];
  const Row& product = row_of(layer.forward, "gate_proj");
  EXPECT_EQ(product.kernel.dtype, schedule::DType::kFloat8);
  EXPECT_EQ(product.kernel.bytes.value, 1024 * 4096 + 4096 * 14336 + 2 * 1024 * 14336);
  EXPECT_EQ(row_of(layer.forward, "gate_proj weight to fp8").kernel.bytes.value, 4 * 4096 * 14336);
  EXPECT_EQ(row_of(layer.forward, "gate_proj input to fp8").kernel.bytes.value, 4 * 1024 * 4096);
  EXPECT_EQ(row_of(layer.backward, "gate_proj output grad to fp8").kernel.bytes.value,
            4 * 1024 * 14336);
  EXPECT_EQ(row_of(layer.backward, "gate_proj weight grad").kernel.dtype, schedule::DType::kFloat8);
  const Module& head = g.modules[g.modules.size() - 2];
  EXPECT_EQ(row_of(head.forward, "lm_head").kernel.dtype, schedule::DType::kBFloat16);
}

TEST(Float8, CountsTheSameFlops) {
  ComputeOptions options;
  const auto plain = build_model_graph(testing::mistral_7b(), {1, 1024}, options);
  options.fp8 = Float8::kBlock;
  const auto fp8 = build_model_graph(testing::mistral_7b(), {1, 1024}, options);
  const auto flops = [](const ModelGraph& g) {
    double sum = 0;
    for (const Module& m : g.modules) {
      for (const auto* rows : {&m.forward, &m.backward}) {
        for (const Row& row : *rows) sum += row.kernel.flops.value;
      }
    }
    return sum;
  };
  EXPECT_DOUBLE_EQ(flops(fp8), flops(plain));
  EXPECT_EQ(fp8.flops_per_step.value, plain.flops_per_step.value);
}

/// Whole tiles and waves: 16 x 16 tiles of 128 x 128 on 128 SMs. K of 2048 fills as 1024 in bf16
/// does: 1024 / (1024 + 256) = 0.8. 2 x 2048^3 flops at 1000 TFLOP/s x 0.5 x 0.8.
TEST(Float8, AProductTakesItsFlopsAtItsOwnPeakAndShare) {
  GpuModel gpu;
  gpu.sm_count = 128;
  gpu.hbm = Bandwidth{1'000'000'000'000'000};
  gpu.hbm_efficiency = 1;
  gpu.gemm_efficiency = 0.9;
  gpu.fp8_efficiency = 0.5;
  gpu.peak[static_cast<std::size_t>(schedule::DType::kFloat8)] = FlopRate{1e15};
  schedule::Kernel kernel;
  kernel.kind = schedule::KernelKind::kGemm;
  kernel.dtype = schedule::DType::kFloat8;
  kernel.m = kernel.n = kernel.k = 2048;
  kernel.flops = {2.0 * 2048 * 2048 * 2048};
  EXPECT_NEAR(kernel_time(kernel, gpu).duration.seconds(), 2.0 * 2048 * 2048 * 2048 / 4e14, 1e-11);
}

TEST(Float8, IsRefusedWhereItIsNotLaidOut) {
  ComputeOptions options{.fp8 = Float8::kDelayed};
  EXPECT_EQ(compute_problem(testing::mistral_7b(), options), "");
  options.precision = Precision::kFloat32;
  EXPECT_NE(compute_problem(testing::mistral_7b(), options).find("bf16"), std::string::npos);
  options.precision = Precision::kBFloat16;
  options.compiled = true;
  EXPECT_NE(compute_problem(testing::mistral_7b(), options).find("torch.compile"),
            std::string::npos);
  options.compiled = false;
  ModelSpec odd = testing::mistral_7b();
  odd.ffn = 14'330;
  EXPECT_NE(compute_problem(odd, options).find("14330"), std::string::npos);
}

}  // namespace
}  // namespace heddle::model
