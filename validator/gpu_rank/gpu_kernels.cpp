#include "validator/gpu_rank/gpu_kernels.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sim/base/rng.h"

namespace heddle::gpu_rank {
namespace {

using gpu::Matmul;
using gpu::Problem;
using schedule::Kernel;
using schedule::KernelKind;

constexpr Bytes kMostScores = mebibytes(256);  // of one product of attention
constexpr Bytes kMostSweep = mebibytes(512);   // read at once
constexpr Bytes kAlignment{256};
constexpr std::int64_t kTimesCache = 4;
constexpr Bytes kPattern = mebibytes(1);

Bytes bytes_of(schedule::DType dtype, std::int64_t batch, std::int64_t rows, std::int64_t columns) {
  return {batch * rows * columns * byte_size(dtype)};
}

Bytes aligned(Bytes bytes) {
  return {(bytes.value + kAlignment.value - 1) / kAlignment.value * kAlignment.value};
}

/// Heads in one product of attention.
std::int64_t heads_at_once(const Kernel& k) {
  const Bytes one = bytes_of(k.dtype, 1, k.m, k.n);
  return std::clamp<std::int64_t>(kMostScores.value / std::max<std::int64_t>(1, one.value), 1,
                                  std::max<std::int64_t>(1, k.batch));
}

std::int64_t products_of(const Kernel& k) {
  const double one =
      2.0 * static_cast<double>(k.m) * static_cast<double>(k.n) * static_cast<double>(k.k);
  return std::max<std::int64_t>(1, std::llround(k.flops.value / one));
}

/// What of the pool a kernel needs at once.
Bytes room_for(const Kernel& k) {
  if (k.kind == KernelKind::kMemory) {
    const Bytes half{k.bytes.value / 2 / std::max(1, k.launches)};
    return aligned(std::min(half, kMostSweep)) * 2;
  }
  const std::int64_t batch = k.kind == KernelKind::kGemm ? k.batch : heads_at_once(k);
  return aligned(bytes_of(k.dtype, batch, k.m, k.k)) + aligned(bytes_of(k.dtype, batch, k.k, k.n)) +
         aligned(bytes_of(k.dtype, batch, k.m, k.n));
}

}  // namespace

GpuKernels::~GpuKernels() {
  if (pool_ != nullptr) gpu_.release(pool_);
  if (pattern_ != nullptr) gpu_.release_host(pattern_);
}

Bytes GpuKernels::bytes_for(const std::vector<Kernel>& kernels, const gpu::Facts& facts) {
  Bytes most;
  for (const Kernel& kernel : kernels) most = std::max(most, room_for(kernel));
  if (most.value == 0) return most;
  return most + std::max(most, facts.cache * kTimesCache);
}

Problem GpuKernels::prepare(const std::vector<Kernel>& kernels, gpu::Stream stream) {
  size_ = bytes_for(kernels, gpu_.facts());
  if (size_.value == 0) return std::nullopt;
  if (auto problem = gpu_.allocate(size_, pool_)) return problem;
  return fill(stream);
}

/// Upper halves of floats from 0.5 to 2, of either sign: numbers in every type.
Problem GpuKernels::fill(gpu::Stream stream) {
  const Bytes piece = std::min(size_, kPattern);
  if (auto problem = gpu_.allocate_host(piece, pattern_)) return problem;
  Rng rng(1);
  for (std::int64_t at = 0; at + 2 <= piece.value; at += 2) {
    const auto random = static_cast<std::uint16_t>(rng.uniform() * 65536);
    const auto half = static_cast<std::uint16_t>((random & 0x80ffU) | 0x3f00U);
    std::memcpy(pattern_ + at, &half, sizeof half);
  }
  for (Bytes at; at < size_; at += piece) {
    const Bytes now = std::min(piece, size_ - at);
    if (auto problem = gpu_.copy_in(stream, pool_ + at.value, pattern_, now)) return problem;
  }
  return std::nullopt;
}

gpu::Address GpuKernels::next(Bytes bytes) {
  const Bytes room = aligned(bytes);
  if (cursor_ + room > size_) cursor_ = {};
  const gpu::Address at = pool_ + cursor_.value;
  cursor_ += room;
  return at;
}

Problem GpuKernels::product(const Matmul& s, gpu::Stream stream) {
  const gpu::Address a = next(bytes_of(s.dtype, s.batch, s.m, s.k));
  const gpu::Address b = next(bytes_of(s.dtype, s.batch, s.k, s.n));
  const gpu::Address c = next(bytes_of(s.dtype, s.batch, s.m, s.n));
  return gpu_.matmul(stream, s, a, b, c);
}

Problem GpuKernels::attention(const Kernel& k, gpu::Stream stream) {
  const std::int64_t most = heads_at_once(k);
  const std::int64_t all = products_of(k);
  for (const bool scores : {true, false}) {
    for (std::int64_t left = scores ? (all + 1) / 2 : all / 2; left > 0;) {
      const std::int64_t heads = std::min(left, most);
      const Matmul shape{k.dtype, heads, k.m, scores ? k.n : k.k, scores ? k.k : k.n};
      if (auto problem = product(shape, stream)) return problem;
      left -= heads;
    }
  }
  return std::nullopt;
}

Problem GpuKernels::sweep(Bytes bytes, gpu::Stream stream) {
  for (Bytes left{bytes.value / 2}; left.value > 0;) {
    const Bytes now = std::min(left, kMostSweep);
    const gpu::Address from = next(now);
    const gpu::Address to = next(now);
    if (auto problem = gpu_.sweep(stream, to, from, now)) return problem;
    left -= now;
  }
  return std::nullopt;
}

Problem GpuKernels::run(const Kernel& kernel, gpu::Stream stream) {
  switch (kernel.kind) {
    case KernelKind::kGemm:
      return product({kernel.dtype, kernel.batch, kernel.m, kernel.n, kernel.k}, stream);
    case KernelKind::kAttention:
      return attention(kernel, stream);
    case KernelKind::kMemory:
      break;
  }
  const std::int64_t launches = std::max(1, kernel.launches);
  for (std::int64_t i = 0; i < launches; ++i) {
    if (auto problem = sweep({kernel.bytes.value / launches}, stream)) return problem;
  }
  return std::nullopt;
}

}  // namespace heddle::gpu_rank
