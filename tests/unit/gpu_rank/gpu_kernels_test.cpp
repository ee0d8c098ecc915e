// What a kernel of a schedule becomes on a GPU, by what the GPU is asked for.

#include "validator/gpu_rank/gpu_kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "validator/gpu/host_gpu.h"

namespace heddle::gpu_rank {
namespace {

using gpu::Matmul;
using schedule::DType;
using schedule::Kernel;
using schedule::KernelKind;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

/// Notes products and sweeps instead of running them.
class NotingGpu : public gpu::HostGpu {
 public:
  NotingGpu() : HostGpu({gibibytes(8), ""}) {}
  gpu::Problem matmul(gpu::Stream, const Matmul& shape, gpu::Address, gpu::Address,
                      gpu::Address) override {
    products.push_back(shape);
    return std::nullopt;
  }
  gpu::Problem sweep(gpu::Stream, gpu::Address to, gpu::Address from, Bytes bytes) override {
    EXPECT_NE(to, from);
    sweeps.push_back(bytes.value);
    return std::nullopt;
  }
  std::vector<Matmul> products;
  std::vector<std::int64_t> sweeps;
};

class GpuKernelsTest : public testing::Test {
 protected:
  void run(const Kernel& kernel) {
    gpu_.make_stream(false, stream_);
    GpuKernels kernels(gpu_);
    ASSERT_FALSE(kernels.prepare({kernel}, stream_));
    ASSERT_FALSE(kernels.run(kernel, stream_));
    gpu_.destroy(stream_);
  }
  NotingGpu gpu_;
  gpu::Stream stream_ = nullptr;
};

TEST_F(GpuKernelsTest, AProductKeepsItsShapeAndType) {
  Kernel k;
  k.kind = KernelKind::kGemm;
  k.dtype = DType::kFloat16;
  k.batch = 3;
  k.m = 64;
  k.n = 32;
  k.k = 16;
  run(k);
  EXPECT_THAT(gpu_.products, ElementsAre(Matmul{DType::kFloat16, 3, 64, 32, 16}));
}

/// 8 heads, 128 x 256, head size 64: 4 m n k FLOPs a head are two products each.
TEST_F(GpuKernelsTest, AttentionIsProductsOfBothItsShapes) {
  Kernel k;
  k.kind = KernelKind::kAttention;
  k.batch = 8;
  k.m = 128;
  k.n = 256;
  k.k = 64;
  k.flops = {8.0 * 4 * 128 * 256 * 64};
  run(k);
  EXPECT_THAT(gpu_.products, ElementsAre(Matmul{DType::kBFloat16, 8, 128, 256, 64},
                                         Matmul{DType::kBFloat16, 8, 128, 64, 256}));
}

/// Half the FLOPs, as the causal mask makes it: half the heads.
TEST_F(GpuKernelsTest, CausalAttentionIsHalfAsManyProducts) {
  Kernel k;
  k.kind = KernelKind::kAttention;
  k.batch = 8;
  k.m = 128;
  k.n = 128;
  k.k = 64;
  k.flops = {8.0 * 2 * 128 * 128 * 64};
  run(k);
  EXPECT_THAT(gpu_.products, ElementsAre(Matmul{DType::kBFloat16, 4, 128, 128, 64},
                                         Matmul{DType::kBFloat16, 4, 128, 64, 128}));
}

/// 64 heads of 4096 x 4096 in bf16 are 2 GiB of scores: 256 MiB, 8 heads, at a time.
TEST_F(GpuKernelsTest, AttentionTakesAsManyHeadsAsItsScoresHaveRoom) {
  Kernel k;
  k.kind = KernelKind::kAttention;
  k.batch = 64;
  k.m = k.n = 4096;
  k.k = 128;
  k.flops = {64.0 * 2 * 4096 * 4096 * 128};
  run(k);
  const Matmul scores{DType::kBFloat16, 8, 4096, 4096, 128};
  const Matmul values{DType::kBFloat16, 8, 4096, 128, 4096};
  EXPECT_THAT(gpu_.products,
              ElementsAreArray({scores, scores, scores, scores, values, values, values, values}));
}

/// Half of the bytes are read, half written, in as many pieces as it has launches.
TEST_F(GpuKernelsTest, AMemoryKernelSweepsItsBytesByLaunch) {
  Kernel k;
  k.bytes = {12'000};
  k.launches = 3;
  run(k);
  EXPECT_THAT(gpu_.sweeps, ElementsAre(2000, 2000, 2000));
}

}  // namespace
}  // namespace heddle::gpu_rank
