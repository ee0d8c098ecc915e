#include "validator/device/host_compute.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "sim/base/rng.h"

namespace heddle::device {
namespace {

using schedule::Kernel;
using schedule::KernelKind;
using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr std::size_t kSweptFloats = std::size_t{4} << 20;  // 16 MiB: beyond a core's own caches

std::size_t floats(std::int64_t rows, std::int64_t columns) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

/// Both shapes of attention, query x key and probability x value, fit what this returns.
std::size_t most_floats(const Kernel& k) {
  return std::max({floats(k.m, k.k), floats(k.k, k.n), floats(k.m, k.n)});
}

/// Products behind an attention kernel: its FLOPs over those of one product, at least one.
std::int64_t products(const Kernel& k) {
  const double one =
      2.0 * static_cast<double>(k.m) * static_cast<double>(k.n) * static_cast<double>(k.k);
  return std::max<std::int64_t>(1, std::llround(k.flops.value / one));
}

constexpr std::size_t kOperands = 4;  // of the largest size: those of two products

/// In floats.
struct Pools {
  std::size_t largest = 0;
  std::size_t swept = 0;
};

Pools pools_for(const std::vector<Kernel>& kernels) {
  Pools pools;
  for (const Kernel& kernel : kernels) {
    if (kernel.kind == KernelKind::kMemory) {
      pools.swept = kSweptFloats;
    } else {
      pools.largest = std::max(pools.largest, most_floats(kernel));
    }
  }
  return pools;
}

}  // namespace

HostCompute::HostCompute(const std::vector<Kernel>& kernels) {
  const Pools pools = pools_for(kernels);
  operands_.resize(kOperands * pools.largest);
  result_.resize(pools.largest);
  swept_.assign(pools.swept, 1.0F);
  Rng rng(pools.largest);
  for (float& value : operands_) value = static_cast<float>(rng.uniform()) - 0.5F;
}

std::size_t HostCompute::bytes_for(const std::vector<Kernel>& kernels) {
  const Pools pools = pools_for(kernels);
  return ((kOperands + 1) * pools.largest + pools.swept) * sizeof(float);
}

/// Operands move through the pool, so that a product does not find those of the last one in cache.
float* HostCompute::operand(std::size_t& cursor, std::size_t count) {
  if (cursor + count > operands_.size()) cursor = 0;
  float* first = operands_.data() + cursor;
  cursor += count;
  return first;
}

void HostCompute::product(std::int64_t m, std::int64_t n, std::int64_t k) {
  const Eigen::Map<const Matrix> a(operand(next_operand_, floats(m, k)), m, k);
  const Eigen::Map<const Matrix> b(operand(next_operand_, floats(k, n)), k, n);
  Eigen::Map<Matrix> c(result_.data(), m, n);
  c.noalias() = a * b;
}

/// Half of the bytes are read, half written.
void HostCompute::sweep(Bytes bytes) {
  std::size_t left = static_cast<std::size_t>(bytes.value) / (2 * sizeof(float));
  const std::size_t half = swept_.size() / 2;
  while (left > 0) {
    if (next_sweep_ == half) next_sweep_ = 0;
    const std::size_t count = std::min(left, half - next_sweep_);
    const float* from = swept_.data() + next_sweep_;
    float* to = swept_.data() + half + next_sweep_;
    for (std::size_t i = 0; i < count; ++i) to[i] = from[i] * 0.5F + 0.25F;
    next_sweep_ += count;
    left -= count;
  }
}

void HostCompute::run(const Kernel& kernel) {
  switch (kernel.kind) {
    case KernelKind::kMemory:
      return sweep(kernel.bytes);
    case KernelKind::kGemm:
      for (std::int64_t i = 0; i < kernel.batch; ++i) product(kernel.m, kernel.n, kernel.k);
      return;
    case KernelKind::kAttention:
      for (std::int64_t i = 0, count = products(kernel); i < count; ++i) {
        if (i % 2 == 0) {
          product(kernel.m, kernel.n, kernel.k);
        } else {
          product(kernel.m, kernel.k, kernel.n);
        }
      }
  }
}

}  // namespace heddle::device
