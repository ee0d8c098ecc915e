#pragma once
// y = x W^T (+ b) as torch.nn.Linear runs it. Backward makes the weight's gradient, then the
// input's (aten::mm); with a bias the input's, the weight's, the bias' (aten::addmm). Under
// autocast weight, bias and (where it comes from the fp32 stream) input are cast first; autograd
// keeps the casts of weight and input until backward. A frozen weight has no gradient, so its
// linear keeps no input. In fp8 (float8.h) it is Transformer Engine's: weight, input and the
// output's gradient are cast, kept are the weight in both directions and the input transposed, the
// bias' gradient comes with the cast of the output's.

#include <string>

#include "sim/model/module_builder.h"

namespace heddle::model {

struct LinearShape {
  std::string path;  // "self_attn.q_proj"
  std::int64_t in = 0;
  std::int64_t out = 0;
  bool bias = false;
  bool from_stream = false;    // autocast must cast its input
  bool input_gradient = true;  // false: its input is data
  bool adapter = false;        // trains although the model is frozen
  std::string name = {};       // of its rows; empty: the last part of the path
  bool transposed = false;     // stored as in x out, GPT-2's Conv1D: nothing to transpose
  bool flat = false;           // its input is a matrix already: no views
  bool shares_input = false;   // a linear before it has the same input
};

class Linear {
 public:
  /// Adds the parameters, in a torch module of their own, and the tensors it saves itself.
  Linear(ModuleBuilder& builder, const LinearShape& shape, std::int64_t tokens);

  /// `live`: bytes alive meanwhile besides saved tensors, its output included where it is not
  /// saved. `output`: the saved tensor it writes, or -1.
  void forward(const Tensors& live, int output = -1) const;
  /// `live`: as above, gradients of input and output included. `input`: the saved tensor that is
  /// its input and that nobody needs any more, or -1.
  void backward(const Tensors& live, int input = -1) const;
  /// Whether backward needs its input.
  bool keeps_input() const { return trainable_ && !fp8(); }

 private:
  void cast_inputs(const Tensors& live) const;
  void weight_gradient(const Tensors& live, std::initializer_list<int> drops) const;
  void bias_gradient(const Tensors& live) const;
  void input_gradient(const Tensors& live, std::initializer_list<int> drops) const;
  void cast_gradients(const Tensors& live) const;
  bool fp8() const { return builder_.fp8(); }
  /// The norm before it writes its input in fp8 for all linears that read it.
  bool norm_casts() const { return shape_.from_stream && builder_.options().fused_norm; }
  schedule::DType dtype() const;
  void keep_fp8();
  void cast_to_fp8(const Tensors& live) const;
  void fp8_forward(const Tensors& live, int output) const;
  void fp8_backward(const Tensors& live, int input) const;

  ModuleBuilder& builder_;
  LinearShape shape_;
  std::string name_;
  std::int64_t tokens_;
  bool trainable_;
  std::int64_t input_cast_ = 0;  // bytes of the input's cast where nobody saves it
  int weight_ = -1;
  int bias_ = -1;
  int weight_copy_ = -1;  // saved, autocast only
  int input_copy_ = -1;   // saved, autocast only
};

}  // namespace heddle::model
