#pragma once
// HBM passes over an fp32 tensor. The softmax kernels read their inputs once for the reduction and
// once for the result (forward twice: maximum, sum).

#include <cstdint>

namespace heddle::model {

inline constexpr std::int64_t kSoftmaxPasses = 4;          // read 3, write 1
inline constexpr std::int64_t kSoftmaxBackwardPasses = 5;  // read 2 x 2, write 1

}  // namespace heddle::model
