#pragma once
// torch.nn.LayerNorm. Saved: the input as it is (the residual stream), mean and 1/sigma; and the
// output where linears take it as it is (under autocast each keeps its own cast instead).

#include <string>

#include "sim/model/module_builder.h"

namespace heddle::model {

struct LayerNormShape {
  bool bias = true;
  bool shared_input = false;  // another norm saves the same input
  bool output_kept = false;   // its output is saved although autocast's linears keep casts of it
};

class LayerNorm {
 public:
  LayerNorm(ModuleBuilder& builder, const std::string& path, std::int64_t hidden,
            std::int64_t tokens, const LayerNormShape& shape = {});

  /// `live`: bytes alive meanwhile besides saved tensors.
  void forward(const Tensors& live = {}) const;
  /// `live`: as above, and besides the gradients of input and output. `output`: its saved output
  /// if what follows has not dropped it, or -1.
  void backward(const Tensors& live, int output = -1) const;
  /// Its output as a saved tensor, or -1.
  int output() const { return output_; }
  /// Its input, the residual stream, as a saved tensor.
  int input() const { return input_; }

 private:
  ModuleBuilder& builder_;
  std::int64_t bytes_;  // of one tensor
  int weight_ = -1;
  int bias_ = -1;
  int input_ = -1;
  int statistics_ = -1;
  int output_ = -1;
};

}  // namespace heddle::model
