#pragma once
// Causal attention in one fused kernel: keeps its output and the log-sum-exp of each row. Through
// SDPA keys and values come repeated to all heads; FlashAttention 2 reads grouped heads as they
// are, but writes the gradients of all heads before it sums them.

#include "sim/model/attention_shape.h"
#include "sim/model/module_builder.h"

namespace heddle::model {

class FlashAttention {
 public:
  /// `kv_bytes`: of the keys, and of the values, that the kernel reads.
  FlashAttention(ModuleBuilder& builder, const AttentionShape& shape, std::int64_t kv_bytes);

  /// `live`: bytes alive meanwhile besides saved tensors.
  void forward(const Tensors& live, const Heads& heads) const;
  void backward(const Tensors& live, const Heads& heads) const;
  /// Its saved output; backward drops it.
  int output() const { return output_; }

 private:
  schedule::Kernel kernel(bool backward) const;

  ModuleBuilder& builder_;
  AttentionShape shape_;
  std::int64_t kv_bytes_;
  int output_;
  int log_sum_exp_;
};

}  // namespace heddle::model
