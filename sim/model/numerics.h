#pragma once
// Element sizes that follow from a precision. "Stream" is the residual stream and the norms around
// it; "compute" is what matrix products and attention read and write.

#include <cstdint>

#include "sim/model/model_graph.h"
#include "sim/schedule/kernel.h"

namespace heddle::model {

struct Numerics {
  explicit Numerics(Precision p)
      : precision(p),
        stream(p == Precision::kBFloat16 ? 2 : 4),
        compute(p == Precision::kFloat32 ? 4 : 2),
        dtype(p == Precision::kFloat32 ? schedule::DType::kFloat32 : schedule::DType::kBFloat16) {}

  bool autocast() const { return precision == Precision::kAutocast; }

  Precision precision;
  std::int64_t stream;    // bytes per element
  std::int64_t compute;   // bytes per element
  schedule::DType dtype;  // of matrix products; fp32 runs without TF32, PyTorch's default
};

}  // namespace heddle::model
