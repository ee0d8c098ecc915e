#pragma once
// The feed-forward half of a decoder layer: down(silu(gate(x)) * up(x)). Eager it keeps gate,
// silu(gate), up and their product, 8 f in bf16; compiled, silu(gate) is computed once more in
// backward (6 f); fused (xFormers, Unsloth) the product too (4 f). Liger's kernel keeps 6 f.

#include "sim/model/adapted_linear.h"

namespace heddle::model {

class GatedMlp {
 public:
  GatedMlp(ModuleBuilder& builder, const ModelSpec& spec, std::int64_t tokens);

  /// `residual`: bytes of the residual stream where no one saves it, alive throughout;
  /// `norm_output`: of the norm's output where no one saves it; `norm`: that output saved, or -1.
  void forward(const Tensors& residual, const Tensors& norm_output, int norm) const;
  void backward(const Tensors& residual, int norm) const;
  /// Its output where a checkpointed layer keeps it, or -1.
  int output() const { return output_; }

 private:
  void activate_backward(const Tensors& residual) const;
  void fused_backward(const Tensors& residual) const;
  void down_backward(const Tensors& residual) const;

  ModuleBuilder& builder_;
  std::int64_t wide_;     // bytes of one tokens x ffn tensor
  std::int64_t product_;  // bytes of one tokens x hidden tensor in the compute type
  std::int64_t stream_;   // the same in the stream's type
  const char* activation_;
  bool fused_;     // silu and product are one kernel
  bool repeated_;  // backward makes the product once more
  AdaptedLinear gate_proj_;
  AdaptedLinear up_proj_;
  AdaptedLinear down_proj_;
  int gate_ = -1;
  int activated_ = -1;
  int up_ = -1;
  int gated_ = -1;
  int output_ = -1;
};

}  // namespace heddle::model
