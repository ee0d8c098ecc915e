#pragma once
// The feed-forward half of a LayerNorm layer: fc2(gelu(fc1(x))), with biases. Saved per hidden
// element, in compute elements:
//
//   GELU          fc1's output 1, product 1
//   "gelu_new"    x 1, x / 2 1, tanh 1, 1 + tanh 1, product 1      (transformers'
//   NewGELUActivation)
//
// Under autocast pow makes gelu_new's chain fp32: x 4, x / 2 2, tanh 4, 1 + tanh 4 bytes, and fc2
// keeps a cast of the product.

#include "sim/model/linear.h"
#include "sim/model/text_layout.h"

namespace heddle::model {

class PlainMlp {
 public:
  PlainMlp(ModuleBuilder& builder, const ModelSpec& spec, std::int64_t tokens);

  /// `live`: bytes alive throughout besides saved tensors; `norm_output`: of its input, where no
  /// one saves it; `input`: that input saved, or -1.
  void forward(const Tensors& live, const Tensors& norm_output, int input) const;
  /// `d_output`: bytes of its output's gradient if `live` does not hold it; `input`: the saved
  /// tensor that is its input and that nobody needs any more, or -1.
  void backward(const Tensors& live, std::int64_t d_output, int input) const;

 private:
  /// The activation's output where nobody saves it.
  std::int64_t loose_output() const { return activated_ < 0 && !upcast_ ? wide_ : 0; }
  void chain_forward(const Tensors& live) const;
  void chain_backward(const Tensors& live) const;
  void gelu_backward(const Tensors& live) const;
  bool chain() const { return activation_ == Activation::kGeluNew; }

  ModuleBuilder& builder_;
  Activation activation_;
  bool upcast_;           // the chain runs in fp32 on a compute-type input
  std::int64_t wide_;     // bytes of one tokens x ffn tensor in the compute type
  std::int64_t inner_;    // the same in the chain's type
  std::int64_t product_;  // bytes of one tokens x hidden tensor in the compute type
  std::int64_t stream_;   // the same in the stream's type
  Linear fc1_;
  Linear fc2_;
  int input_ = -1;
  int half_ = -1;
  int tanh_ = -1;
  int sum_ = -1;
  int activated_ = -1;
};

}  // namespace heddle::model
