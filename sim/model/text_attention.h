#pragma once
// The attention half of a LayerNorm layer, with biases: fused or separate projections, partial
// rotation of queries and keys, attention through one fused kernel (SDPA) or, without rotation,
// written out; output projection.
//
// A fused projection's output is kept whole: the value (GPT-2: also query and key) is a view of it.
// Rotated queries and keys are new tensors in head-major order, and attention's output then needs
// a copy in token-major order.

#include <optional>
#include <vector>

#include "sim/model/linear.h"
#include "sim/model/score_attention.h"
#include "sim/model/text_layout.h"

namespace heddle::model {

class TextAttention {
 public:
  TextAttention(ModuleBuilder& builder, const ModelSpec& spec, const BatchShape& batch);

  /// `live`: bytes alive throughout besides saved tensors; `norm_output`: of its input, where no
  /// one saves it and nobody but the projections reads it; `input`: that input saved, or -1.
  void forward(const Tensors& live, const Tensors& norm_output, int input) const;
  /// `d_output`: bytes of its output's gradient if `live` does not hold it; `input`: the saved
  /// tensor that is its input and that nobody needs any more, or -1. With separate projections
  /// `live` begins with the gradient that theirs are added to.
  void backward(const Tensors& live, std::int64_t d_output, int input) const;

 private:
  void add_projections(const ModelSpec& spec);
  void project(const Tensors& live) const;
  void split_forward(const Tensors& live) const;
  void rotate_forward(const Tensors& live) const;
  void attend(const Tensors& live) const;
  void kernel_forward(const Tensors& live) const;
  void kernel_backward(const Tensors& live) const;
  void split_backward(const Tensors& live) const;
  void project_backward(const Tensors& live, int input) const;
  schedule::Kernel flash(bool backward) const;
  /// Outputs of the projections where nobody saves them, as eager attention's locals.
  Tensors loose_projections() const;
  bool rotates() const { return rotated_ > 0; }

  ModuleBuilder& builder_;
  const ModelSpec& spec_;
  const TextLayout& layout_;
  BatchShape batch_;
  std::int64_t tokens_;
  std::int64_t bytes_;    // of one tokens x heads x head_dim tensor in the compute type
  std::int64_t stream_;   // of one tokens x hidden tensor in the stream's type
  std::int64_t rotated_;  // bytes of a query's rotated part, in the tables' type
  std::vector<Linear> projections_;
  std::optional<Linear> out_;
  std::optional<ScoreAttention> eager_;
  std::vector<int> projected_;  // saved outputs of the projections, or -1
  int query_ = -1;              // after rotation
  int key_ = -1;
  int output_ = -1;
  int output_copy_ = -1;
  int log_sum_exp_ = -1;
};

}  // namespace heddle::model
