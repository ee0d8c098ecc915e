#pragma once
// Collects the parameters, saved tensors and rows of one module in the order PyTorch creates them.

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "sim/model/numerics.h"
#include "sim/model/row_builder.h"

namespace heddle::model {

class ModuleBuilder {
 public:
  ModuleBuilder(std::string name, ModuleKind kind, const ComputeOptions& options)
      : options_(options), numerics_(options.precision) {
    module_.name = std::move(name);
    module_.kind = kind;
  }

  /// What follows belongs to a further torch module that owns parameters.
  void begin_submodule() { ++submodule_; }
  /// With LoRA it is frozen unless `adapter`.
  int param(std::string name, std::vector<std::int64_t> shape, bool linear_weight = false,
            bool adapter = false);
  /// A tensor autograd keeps until this module's backward, unless `held` says otherwise.
  int saved(std::string name, std::int64_t bytes, Held held = Held::kBackward);
  void hold(int saved, Held held) { module_.saved[static_cast<std::size_t>(saved)].held = held; }
  /// The latest row of forward reads these saved tensors; negative entries are skipped.
  void used(std::initializer_list<int> saved);
  /// These saved tensors go after the latest row of backward; negative entries are skipped.
  void dropped(std::initializer_list<int> saved);

  RowBuilder forward(std::string name) { return row(module_.forward, std::move(name)); }
  RowBuilder backward(std::string name) { return row(module_.backward, std::move(name)); }

  const ComputeOptions& options() const { return options_; }
  const Numerics& numerics() const { return numerics_; }
  /// Linears run in fp8.
  bool fp8() const { return options_.fp8 != Float8::kNone && module_.kind == ModuleKind::kLayer; }
  /// Each linear keeps a cast of its input rather than the input.
  bool linears_cast_input() const { return numerics_.autocast() || fp8(); }
  bool compiled() const { return options_.compiled && module_.kind == ModuleKind::kLayer; }
  /// How the output of an operator on selective checkpointing's list is held.
  Held listed() const {
    return options_.checkpointing == Checkpointing::kSelective ? Held::kCheckpoint
                                                               : Held::kBackward;
  }
  /// The model's own weights take no gradient: only adapters train.
  bool frozen() const { return options_.lora.rank > 0; }
  /// `submodules`: torch modules inside, those without parameters included.
  Module finish(int submodules);

 private:
  static RowBuilder row(std::vector<Row>& rows, std::string name);

  ComputeOptions options_;
  Numerics numerics_;
  Module module_;
  int submodule_ = -1;
};

}  // namespace heddle::model
