#pragma once
// Collects the parameters, saved tensors and rows of one module in the order PyTorch creates them.

#include <string>
#include <utility>
#include <vector>

#include "sim/model/numerics.h"
#include "sim/model/row_builder.h"

namespace heddle::model {

class ModuleBuilder {
 public:
  ModuleBuilder(std::string name, ModuleKind kind, const Numerics& numerics) : numerics_(numerics) {
    module_.name = std::move(name);
    module_.kind = kind;
  }

  /// What follows belongs to a further torch module that owns parameters.
  void begin_submodule() { ++submodule_; }
  int param(std::string name, std::vector<std::int64_t> shape, bool linear_weight = false);
  /// A tensor autograd keeps until this module's backward.
  int saved(std::string name, std::int64_t bytes);

  RowBuilder forward(std::string name) { return row(module_.forward, std::move(name)); }
  RowBuilder backward(std::string name) { return row(module_.backward, std::move(name)); }

  const Numerics& numerics() const { return numerics_; }
  /// `submodules`: torch modules inside, those without parameters included.
  Module finish(int submodules);

 private:
  static RowBuilder row(std::vector<Row>& rows, std::string name);

  Numerics numerics_;
  Module module_;
  int submodule_ = -1;
};

}  // namespace heddle::model
