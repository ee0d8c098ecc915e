#include "sim/model/module_builder.h"

#include "sim/base/check.h"

namespace heddle::model {

int ModuleBuilder::param(std::string name, std::vector<std::int64_t> shape, bool linear_weight,
                         bool adapter) {
  HEDDLE_CHECK(submodule_ >= 0, "a parameter outside a torch module: " + name);
  module_.params.push_back({.name = std::move(name),
                            .shape = std::move(shape),
                            .linear_weight = linear_weight,
                            .trainable = adapter || !frozen()});
  module_.submodule_of_param.push_back(submodule_);
  return static_cast<int>(module_.params.size()) - 1;
}

int ModuleBuilder::saved(std::string name, std::int64_t bytes, Held held) {
  module_.saved.push_back({.name = std::move(name), .bytes = {bytes}, .held = held});
  return static_cast<int>(module_.saved.size()) - 1;
}

void ModuleBuilder::used(std::initializer_list<int> saved) {
  for (const int slot : saved) {
    if (slot < 0) continue;
    module_.saved[static_cast<std::size_t>(slot)].last_read =
        static_cast<int>(module_.forward.size()) - 1;
  }
}

void ModuleBuilder::dropped(std::initializer_list<int> saved) {
  HEDDLE_CHECK(!module_.backward.empty(), "no row of backward to drop tensors after");
  RowBuilder(module_.backward.back()).drops(saved);
}

Module ModuleBuilder::finish(int submodules) {
  module_.submodules = submodules;
  return std::move(module_);
}

RowBuilder ModuleBuilder::row(std::vector<Row>& rows, std::string name) {
  Row& row = rows.emplace_back();
  row.name = std::move(name);
  row.kernel.launches = 0;
  return RowBuilder(row);
}

}  // namespace heddle::model
