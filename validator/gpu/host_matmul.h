#pragma once
// A matrix product in host memory, on the operands themselves: what cuBLASLt is held to.

#include "validator/gpu/gpu.h"

namespace heddle::gpu {

/// Products and sums in fp32, the result rounded to the type.
void host_matmul(const Matmul& shape, const std::byte* a, const std::byte* b, std::byte* c);

}  // namespace heddle::gpu
