#pragma once
// The attention half of a decoder layer: q, k, v projections (norms of each head's q and k), rotary
// positions, key/value heads
// repeated to all heads (not for FlashAttention 2), causal attention, output projection.

#include <optional>

#include "sim/model/adapted_linear.h"
#include "sim/model/eager_attention.h"
#include "sim/model/flash_attention.h"
#include "sim/model/rms_norm.h"

namespace heddle::model {

class DecoderAttention {
 public:
  /// `recomputed`: the layer is checkpointed.
  DecoderAttention(ModuleBuilder& builder, const ModelSpec& spec, const BatchShape& batch,
                   bool recomputed);

  /// `residual`: bytes of the residual stream where no one saves it, alive throughout;
  /// `norm_output`: of the norm's output where no one saves it; `norm`: that output saved, or -1.
  void forward(const Tensors& residual, const Tensors& norm_output, int norm) const;
  void backward(const Tensors& residual, int norm) const;

 private:
  void add_listed();
  void add_cache(bool recomputed);
  void project(const Tensors& live, int norm) const;
  void normalize_heads(const Tensors& residual) const;
  void normalize_heads_backward(const Tensors& residual) const;
  void rotary_forward(const Tensors& live) const;
  void compiled_rotary_forward(const Tensors& live) const;
  void repeat_forward(const Tensors& live) const;
  void attention_forward(const Tensors& live) const;
  void project_output(const Tensors& residual) const;
  void repeat_backward(const Tensors& live) const;
  void rotary_backward(const Tensors& live) const;
  void compiled_rotary_backward(const Tensors& live) const;
  void project_backward(const Tensors& residual, int norm) const;

  bool repeats() const { return repeats_; }
  /// Kernels that write head-major order need a copy in token-major order.
  bool copies_output() const;
  std::int64_t loose_value() const;
  int output() const;  // what the output projection reads, saved; or -1

  ModuleBuilder& builder_;
  AttentionShape shape_;
  std::int64_t hidden_bytes_;  // of one tensor, tokens x hidden in the compute type
  std::int64_t stream_bytes_;  // the same in the stream's type
  bool repeats_;
  std::int64_t tables_;  // bytes of cos and sin each
  AdaptedLinear q_proj_;
  AdaptedLinear k_proj_;
  AdaptedLinear v_proj_;
  AdaptedLinear o_proj_;
  std::optional<RmsNorm> q_norm_;
  std::optional<RmsNorm> k_norm_;
  int cos_ = -1;
  int sin_ = -1;
  Heads heads_;
  std::optional<FlashAttention> flash_;
  std::optional<EagerAttention> eager_;
  int output_copy_ = -1;
  // Only where somebody keeps them:
  int projected_query_ = -1;  // q_proj's output
  int projected_value_ = -1;  // v_proj's output, before it is repeated
  int rotated_key_ = -1;      // the key before it is repeated
  int cached_key_ = -1;       // use_cache where recomputation frees what attention keeps
  int cached_value_ = -1;
};

}  // namespace heddle::model
