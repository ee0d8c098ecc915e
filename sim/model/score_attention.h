#pragma once
// Attention as GPT-2's and BERT's classes write it out ("eager"), S scores of micro-batch x heads x
// s x s:
//
//   P = softmax(Q K^T / sqrt(d) + mask),   O = dropout(P) V
//
// Kept: head-major copies of Q, K, V; P; with dropout its result and one byte of mask per score:
// 2 + 2 + 1 bytes per score in bf16, 4 + 4 + 1 in fp32. Under autocast mask and softmax are fp32
// and V meets a cast: 4 + 2 + 1. The function's locals hold the projections and the masked scores
// to its end. Fused as in Megatron-LM (fused_kernels/scaled_upper_triang_masked_softmax), scale,
// mask and softmax are one kernel in the compute type: it reads the scores that causality leaves,
// writes all, and keeps P alone; backward likewise. (EagerAttention, of Llama's relatives, takes
// the softmax in fp32 always.)

#include "sim/model/module_builder.h"

namespace heddle::model {

class ScoreAttention {
 public:
  ScoreAttention(ModuleBuilder& builder, const ModelSpec& spec, const BatchShape& batch);

  /// `live`: bytes alive throughout besides saved tensors, the projections' outputs included.
  /// Leaves O in head-major order, which the row that copies it frees.
  void forward(const Tensors& live) const;
  /// Takes O's gradient, leaves those of Q, K and V.
  void backward(const Tensors& live) const;

 private:
  void score(const Tensors& live) const;
  void normalize(const Tensors& live) const;
  void normalize_fused(const Tensors& live) const;
  void fused_backward(const Tensors& live) const;
  void drop_out(const Tensors& live) const;
  void normalize_backward(const Tensors& live) const;
  RowBuilder product(RowBuilder row, std::int64_t n, std::int64_t k) const;
  bool causal() const { return causal_; }
  /// Bytes of the scores that a fused kernel reads.
  std::int64_t read() const { return causal() ? computed_ / 2 : computed_; }

  ModuleBuilder& builder_;
  bool causal_;  // a triangle is selected besides the mask that is added
  bool fused_;
  std::int64_t batch_heads_;
  std::int64_t sequence_;
  std::int64_t head_dim_;
  std::int64_t bytes_;     // of Q
  std::int64_t scores_;    // number of scores
  std::int64_t computed_;  // bytes of them in the compute type
  std::int64_t masked_;    // after the mask is added, and of P
  int query_ = -1;
  int key_ = -1;
  int value_ = -1;
  int softmax_ = -1;
  int mask_ = -1;
  int probabilities_ = -1;  // what V meets, where that is not P itself
};

}  // namespace heddle::model
