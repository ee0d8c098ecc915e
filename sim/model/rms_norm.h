#pragma once
// RMSNorm as the Llama and Mistral classes of transformers write it, eager: in fp32
//
//   y = w * bf16(x / sqrt(mean(x^2) + eps))
//
// Saved: x in fp32 (the stream itself where that is fp32), 1/rms, the normalized tensor, and y
// where linears take it as it is (under autocast each of them keeps its own cast instead).

#include <string>

#include "sim/model/module_builder.h"

namespace heddle::model {

class RmsNorm {
 public:
  RmsNorm(ModuleBuilder& builder, const std::string& path, std::int64_t hidden,
          std::int64_t tokens);

  /// `live`: bytes alive meanwhile besides saved tensors.
  void forward(const Tensors& live) const;
  void backward(const Tensors& live) const;
  /// y as a saved tensor, or -1; the last linear that needs it drops it.
  int output() const { return output_; }

 private:
  ModuleBuilder& builder_;
  std::int64_t elements_;
  int weight_ = -1;
  int input_ = -1;
  int inverse_rms_ = -1;
  int normalized_ = -1;
  int output_ = -1;
};

}  // namespace heddle::model
