#pragma once
// torch.nn.Dropout in training, fused on a GPU: one byte of mask per element is saved. A
// probability of 0 skips the operator.

#include <string>

#include "sim/model/module_builder.h"

namespace heddle::model {

class Dropout {
 public:
  /// `element`: bytes per element of its input.
  Dropout(ModuleBuilder& builder, std::string name, double probability, std::int64_t elements,
          std::int64_t element);

  /// `live`: bytes alive meanwhile besides saved tensors, its input and its output. `output`: the
  /// saved tensor it writes, or -1.
  void forward(const Tensors& live, int output = -1) const;
  void backward(const Tensors& live) const;
  bool active() const { return mask_ >= 0; }

 private:
  ModuleBuilder& builder_;
  std::string name_;
  std::int64_t elements_;
  std::int64_t bytes_;
  int mask_ = -1;
};

}  // namespace heddle::model
