#pragma once
// A linear layer that LoRA may target:
//
//   y = x W^T + s (x A^T) B^T        A: rank x in, B: out x rank, both trained; W frozen
//
// as PEFT and torchtune run it, without dropout: two thin products, scaling, sum. The adapter keeps
// x (under autocast a cast of its own) and x A^T; the frozen layer keeps nothing. Adapters have the
// model's own type (torchtune; PEFT with autocast_adapter_dtype off).

#include <optional>

#include "sim/model/linear.h"

namespace heddle::model {

/// Whether LoRA adapts the linear layer whose path ends in `name`.
bool is_adapted(const LoraOptions& lora, const std::string& name);

class AdaptedLinear {
 public:
  AdaptedLinear(ModuleBuilder& builder, const LinearShape& shape, std::int64_t tokens);

  /// As Linear's.
  void forward(const Tensors& live, int output = -1) const;
  void backward(const Tensors& live, int input = -1) const;
  bool keeps_input() const { return base_.keeps_input() || down_.has_value(); }

 private:
  ModuleBuilder& builder_;
  std::string name_;
  std::int64_t input_;   // bytes of x's gradient
  std::int64_t narrow_;  // bytes of x A^T
  std::int64_t output_;  // bytes of y
  Linear base_;
  std::optional<Linear> down_;  // A
  std::optional<Linear> up_;    // B
  int narrow_slot_ = -1;
};

}  // namespace heddle::model
