#pragma once
// Bytes of tensors alive together, one entry each: the allocator rounds, splits and reuses blocks
// one by one.

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace heddle::model {

class Tensors {
 public:
  Tensors() = default;
  Tensors(std::int64_t bytes);  // NOLINT: one tensor is a list of tensors
  /// Zero bytes: no such tensor here.
  Tensors(std::initializer_list<std::int64_t> bytes);
  static Tensors copies(int count, std::int64_t bytes);

  friend Tensors operator+(Tensors a, const Tensors& b);
  const std::vector<std::int64_t>& bytes() const { return bytes_; }

 private:
  std::vector<std::int64_t> bytes_;
};

Tensors operator+(Tensors a, const Tensors& b);

}  // namespace heddle::model
