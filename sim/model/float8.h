#pragma once
// What it takes to make fp8 operands of bf16 tensors, as Transformer Engine does for a linear: each
// tensor once as it is and once transposed, because products on Hopper read both operands along K.
//
//     delayed   read 2, write 1 + 1                       bytes per element
//     current   read 2, then read 2, write 1 + 1
//     mxfp8     read 2, write 1 + 1 + 2 / 32 of scales    both directions have blocks of their own
//
// Sources: Transformer Engine 1.x and 2.x, common/transpose/cast_transpose*.cu (delayed, current)
// and common/cast (MXFP8).

#include <cstdint>

#include "sim/model/compute_options.h"

namespace heddle::model {

struct CastCost {
  std::int64_t bytes = 0;  // of HBM
  int kernels = 0;
};

/// To fp8 in both directions. `scaling` is not kNone.
CastCost fp8_cast(Float8 scaling, std::int64_t elements);

/// Of a tensor in fp8, in one direction.
std::int64_t fp8_bytes(Float8 scaling, std::int64_t elements);

}  // namespace heddle::model
