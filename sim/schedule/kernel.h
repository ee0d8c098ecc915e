#pragma once
// Device work with its shape, so that any interpreter (roofline model, cuBLASLt, CPU ranks) can run
// the same thing. Kernels are interned: a schedule holds each distinct one once.

#include <cstdint>
#include <string_view>

#include "sim/base/units.h"

namespace heddle::schedule {

enum class DType : std::uint8_t { kFloat32, kTensorFloat32, kBFloat16, kFloat16, kFloat8 };
inline constexpr int kDTypeCount = 5;
std::string_view to_string(DType dtype);  // "fp32", "tf32", "bf16", "fp16", "fp8"
std::int64_t byte_size(DType dtype);      // bytes per element in memory; fp8 products write bf16

enum class KernelKind : std::uint8_t {
  kGemm,       // m x n x k, `batch` times
  kAttention,  // fused attention: batch x heads, s x s, head size k
  kMemory,     // bound by HBM: norms, elementwise, casts, copies, optimizer passes
};
std::string_view to_string(KernelKind kind);

struct Kernel {
  KernelKind kind = KernelKind::kMemory;
  DType dtype = DType::kBFloat16;
  bool backward = false;      // attention: backward runs at a lower rate
  bool causal = false;        // attention only; flops already halved
  std::int64_t batch = 1;     // GEMM: independent problems; attention: batch x heads
  std::int64_t m = 0;         // GEMM rows; attention: query length
  std::int64_t n = 0;         // GEMM columns; attention: key length
  std::int64_t k = 0;         // GEMM depth; attention: head size
  Flops flops;                // useful floating-point operations
  Bytes bytes;                // HBM bytes read plus written
  std::int32_t launches = 1;  // GPU kernels behind this entry (each pays the minimum time)

  friend bool operator==(const Kernel&, const Kernel&) = default;
};

}  // namespace heddle::schedule
