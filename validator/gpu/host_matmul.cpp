#include "validator/gpu/host_matmul.h"

#include <Eigen/Core>

namespace heddle::gpu {
namespace {

template <typename T>
void product(const Matmul& shape, const std::byte* a, const std::byte* b, std::byte* c) {
  using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  for (std::int64_t i = 0; i < shape.batch; ++i) {
    const Eigen::Map<const Matrix> left(reinterpret_cast<const T*>(a) + i * shape.m * shape.k,
                                        shape.m, shape.k);
    const Eigen::Map<const Matrix> right(reinterpret_cast<const T*>(b) + i * shape.k * shape.n,
                                         shape.k, shape.n);
    Eigen::Map<Matrix> out(reinterpret_cast<T*>(c) + i * shape.m * shape.n, shape.m, shape.n);
    if constexpr (std::is_same_v<T, float>) {
      out.noalias() = left * right;
    } else {
      const Eigen::MatrixXf wide = left.template cast<float>() * right.template cast<float>();
      out = wide.cast<T>();
    }
  }
}

}  // namespace

void host_matmul(const Matmul& shape, const std::byte* a, const std::byte* b, std::byte* c) {
  switch (shape.dtype) {
    case schedule::DType::kBFloat16:
      return product<Eigen::bfloat16>(shape, a, b, c);
    case schedule::DType::kFloat16:
      return product<Eigen::half>(shape, a, b, c);
    case schedule::DType::kFloat32:
    case schedule::DType::kTensorFloat32:
      return product<float>(shape, a, b, c);
    case schedule::DType::kFloat8:
      break;  // refused before: fp8 operands need scales that a schedule does not have
  }
}

}  // namespace heddle::gpu
