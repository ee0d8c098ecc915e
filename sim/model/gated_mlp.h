#pragma once
// The feed-forward half of a decoder layer, eager: down(silu(gate(x)) * up(x)).

#include "sim/model/linear.h"

namespace heddle::model {

class GatedMlp {
 public:
  GatedMlp(ModuleBuilder& builder, const ModelSpec& spec, std::int64_t tokens);

  /// `residual`: bytes of the residual stream, alive throughout; `norm`: its saved output or -1.
  void forward(const Tensors& residual, const Tensors& norm_output) const;
  void backward(const Tensors& residual, int norm) const;

 private:
  ModuleBuilder& builder_;
  std::int64_t wide_;     // bytes of one tokens x ffn tensor
  std::int64_t product_;  // bytes of one tokens x hidden tensor in the compute type
  std::int64_t stream_;   // the same in the stream's type
  Linear gate_proj_;
  Linear up_proj_;
  Linear down_proj_;
  int gate_ = -1;
  int activated_ = -1;
  int up_ = -1;
  int gated_ = -1;
};

}  // namespace heddle::model
