#pragma once
// Kernels of a schedule as what a GPU's libraries run:
//
//   product      one batched cuBLASLt product of the scheduled shape and type
//   attention    as many products of its two shapes, query x key and probability x value, as its
//                FLOPs make; their scores go through HBM, which stands for the softmax
//   memory       half of its bytes read, half written, in as many sweeps as it has launches
//
// Operands move through a pool beyond the caches, so that a kernel does not find those of the last
// one there; they hold random numbers: products of zeros draw less power and run faster.

#include <vector>

#include "sim/schedule/schedule.h"
#include "validator/gpu/gpu.h"

namespace heddle::gpu_rank {

/// One stream's operands.
class GpuKernels {
 public:
  /// `gpu` must outlive it.
  explicit GpuKernels(gpu::Gpu& gpu) : gpu_(gpu) {}
  GpuKernels(const GpuKernels&) = delete;
  GpuKernels& operator=(const GpuKernels&) = delete;
  ~GpuKernels();

  /// Takes memory for the largest of `kernels` and fills it by `stream`.
  gpu::Problem prepare(const std::vector<schedule::Kernel>& kernels, gpu::Stream stream);
  gpu::Problem run(const schedule::Kernel& kernel, gpu::Stream stream);
  /// What prepare() takes.
  static Bytes bytes_for(const std::vector<schedule::Kernel>& kernels, const gpu::Facts& facts);

 private:
  gpu::Problem product(const gpu::Matmul& shape, gpu::Stream stream);
  gpu::Problem attention(const schedule::Kernel& kernel, gpu::Stream stream);
  gpu::Problem sweep(Bytes bytes, gpu::Stream stream);
  gpu::Problem fill(gpu::Stream stream);
  gpu::Address next(Bytes bytes);

  gpu::Gpu& gpu_;
  gpu::Address pool_ = nullptr;
  std::byte* pattern_ = nullptr;  // pinned
  Bytes size_;
  Bytes cursor_;
};

}  // namespace heddle::gpu_rank
