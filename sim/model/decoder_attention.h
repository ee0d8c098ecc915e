#pragma once
// The attention half of a decoder layer: q, k, v projections, rotary positions, key/value heads
// repeated to all heads, causal SDPA through a flash kernel, output projection.

#include "sim/model/linear.h"

namespace heddle::model {

class DecoderAttention {
 public:
  DecoderAttention(ModuleBuilder& builder, const ModelSpec& spec, const BatchShape& batch);

  /// `residual`: bytes of the residual stream, alive throughout; `norm`: its saved output or -1.
  void forward(const Tensors& residual, const Tensors& norm_output) const;
  void backward(const Tensors& residual, int norm) const;

 private:
  void rotary_forward(const Tensors& live) const;
  void repeat_forward(const Tensors& live) const;
  void attention_forward(const Tensors& live) const;
  void attention_backward(const Tensors& live) const;
  void repeat_backward(const Tensors& live) const;
  void rotary_backward(const Tensors& live) const;
  void project_backward(const Tensors& residual, int norm) const;
  schedule::Kernel flash(bool backward) const;
  bool grouped() const { return spec_.kv_heads != spec_.heads; }

  ModuleBuilder& builder_;
  const ModelSpec& spec_;
  BatchShape batch_;
  std::int64_t tokens_;
  std::int64_t hidden_bytes_;  // of one tensor, tokens x hidden in the compute type
  std::int64_t q_bytes_;       // tokens x heads x head_dim
  std::int64_t kv_bytes_;      // tokens x key/value heads x head_dim
  Linear q_proj_;
  Linear k_proj_;
  Linear v_proj_;
  Linear o_proj_;
  int cos_ = -1;
  int sin_ = -1;
  int query_ = -1;
  int key_ = -1;
  int value_ = -1;
  int output_ = -1;
  int output_copy_ = -1;
  int log_sum_exp_ = -1;
};

}  // namespace heddle::model
