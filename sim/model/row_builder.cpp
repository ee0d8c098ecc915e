#include "sim/model/row_builder.h"

namespace heddle::model {
namespace {

void append(std::vector<int>& to, std::initializer_list<int> from) {
  for (const int i : from) {
    if (i >= 0) to.push_back(i);
  }
}

}  // namespace

RowBuilder& RowBuilder::gemm(schedule::DType dtype, std::int64_t m, std::int64_t n, std::int64_t k,
                             std::int64_t batch) {
  row_.kernel.kind = schedule::KernelKind::kGemm;
  row_.kernel.dtype = dtype;
  row_.kernel.m = m;
  row_.kernel.n = n;
  row_.kernel.k = k;
  row_.kernel.batch = batch;
  row_.kernel.launches = 1;
  row_.kernel.flops = {2.0 * static_cast<double>(batch) * static_cast<double>(m) *
                       static_cast<double>(n) * static_cast<double>(k)};
  const std::int64_t in = schedule::byte_size(dtype);
  const std::int64_t out = dtype == schedule::DType::kFloat8 ? 2 : in;
  row_.kernel.bytes = {batch * ((m * k + k * n) * in + m * n * out)};
  return *this;
}

RowBuilder& RowBuilder::attention(const schedule::Kernel& kernel) {
  row_.kernel = kernel;
  return *this;
}

RowBuilder& RowBuilder::traffic(std::int64_t bytes, int launches) {
  row_.kernel.kind = schedule::KernelKind::kMemory;
  row_.kernel.dtype = schedule::DType::kFloat32;
  row_.kernel.bytes = {bytes};
  row_.kernel.launches = launches;
  return *this;
}

RowBuilder& RowBuilder::dispatches(int count) {
  row_.dispatches = count;
  return *this;
}

RowBuilder& RowBuilder::saves(std::initializer_list<int> saved) {
  append(row_.saves, saved);
  return *this;
}

RowBuilder& RowBuilder::drops(std::initializer_list<int> saved) {
  append(row_.drops, saved);
  return *this;
}

RowBuilder& RowBuilder::transient(const Tensors& tensors) {
  row_.transients.clear();
  for (const std::int64_t bytes : tensors.bytes()) row_.transients.push_back({bytes});
  return *this;
}

RowBuilder& RowBuilder::reads(std::initializer_list<int> params) {
  append(row_.reads, params);
  return *this;
}

RowBuilder& RowBuilder::gradients(std::initializer_list<int> params) {
  append(row_.gradients, params);
  return *this;
}

RowBuilder& RowBuilder::weight_cast() {
  row_.weight_cast = true;
  return *this;
}

}  // namespace heddle::model
