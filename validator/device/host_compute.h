#pragma once
// Kernels on a processor core: real matrix products of the scheduled shape, real sweeps over the
// scheduled bytes. Products run in fp32 whatever the kernel's type (a CPU has no bf16 units worth
// the name); attention is as many products of its two shapes as its FLOPs make.

#include <cstddef>
#include <vector>

#include "sim/schedule/kernel.h"

namespace heddle::device {

/// One stream's operands, random and larger than its caches; not for two threads at once.
class HostCompute {
 public:
  /// Ready for the largest of `kernels`; touches its memory here.
  explicit HostCompute(const std::vector<schedule::Kernel>& kernels);
  void run(const schedule::Kernel& kernel);
  /// What one for these kernels takes.
  static std::size_t bytes_for(const std::vector<schedule::Kernel>& kernels);

 private:
  void product(std::int64_t m, std::int64_t n, std::int64_t k);
  void sweep(Bytes bytes);
  float* operand(std::size_t& cursor, std::size_t floats);

  std::vector<float> operands_;
  std::vector<float> result_;
  std::vector<float> swept_;
  std::size_t next_operand_ = 0;
  std::size_t next_sweep_ = 0;
};

}  // namespace heddle::device
