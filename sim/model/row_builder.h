#pragma once
// Writes one Row in a single expression. Use at once: it refers into the module being built.

#include <initializer_list>

#include "sim/model/model_graph.h"
#include "sim/model/tensors.h"

namespace heddle::model {

class RowBuilder {
 public:
  explicit RowBuilder(Row& row) : row_(row) {}

  /// m x n x k matrix product, `batch` times; every operand is moved once; of fp8 ones in bf16.
  RowBuilder& gemm(schedule::DType dtype, std::int64_t m, std::int64_t n, std::int64_t k,
                   std::int64_t batch = 1);
  /// Fused attention over `batch` x heads problems.
  RowBuilder& attention(const schedule::Kernel& kernel);
  /// Memory-bound work: HBM bytes over all `launches`.
  RowBuilder& traffic(std::int64_t bytes, int launches = 1);

  RowBuilder& dispatches(int count);
  RowBuilder& saves(std::initializer_list<int> saved);  // negative entries are skipped
  RowBuilder& drops(std::initializer_list<int> saved);  // negative entries are skipped
  RowBuilder& transient(const Tensors& tensors);
  RowBuilder& reads(std::initializer_list<int> params);      // negative entries are skipped
  RowBuilder& gradients(std::initializer_list<int> params);  // negative entries are skipped
  RowBuilder& weight_cast();

 private:
  Row& row_;
};

}  // namespace heddle::model
