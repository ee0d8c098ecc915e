#pragma once
// Causal attention as transformers writes it out (attn_implementation "eager"): per layer tensors
// of micro-batch x heads x s x s,
//
//   P = round(softmax_fp32(Q K^T / sqrt(d) + mask)),   O = P V
//
// Backward keeps the softmax's own result in fp32 (4 bytes per score) and, where that is rounded,
// P (2). The mask has the stream's type, so under autocast the masked scores are fp32. Nothing is
// saved by causality: all s^2 scores are computed.

#include "sim/model/attention_shape.h"
#include "sim/model/module_builder.h"

namespace heddle::model {

class EagerAttention {
 public:
  EagerAttention(ModuleBuilder& builder, const AttentionShape& shape);

  /// `live`: bytes alive meanwhile besides saved tensors. Leaves O, token x heads x head_dim.
  void forward(const Tensors& live, const Heads& heads) const;
  void backward(const Tensors& live, const Heads& heads) const;

 private:
  void score(const Tensors& live, const Heads& heads) const;
  void normalize(const Tensors& live) const;
  void normalize_backward(const Tensors& live) const;
  RowBuilder product(RowBuilder row, std::int64_t n, std::int64_t k) const;
  bool rounds() const { return probabilities_ >= 0; }

  ModuleBuilder& builder_;
  AttentionShape shape_;
  std::int64_t scores_;    // number of scores
  std::int64_t computed_;  // bytes of the scores in the compute type
  std::int64_t masked_;    // bytes of them after the mask is added
  std::int64_t fp32_;      // bytes of them in fp32
  int softmax_ = -1;
  int probabilities_ = -1;
};

/// Bytes of the mask that the model makes once for all layers.
std::int64_t eager_mask_bytes(const BatchShape& batch, const Numerics& numerics);

}  // namespace heddle::model
