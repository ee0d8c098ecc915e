#pragma once
// Element sizes that follow from a precision. "Stream" is the residual stream and the norms around
// it; "compute" is what matrix products and attention read and write.

#include <cstdint>

#include "sim/model/model_graph.h"
#include "sim/schedule/kernel.h"

namespace heddle::model {

/// Of matrix products; fp32 runs without TF32, PyTorch's default.
constexpr schedule::DType product_dtype(Precision precision) {
  if (precision == Precision::kFloat32) return schedule::DType::kFloat32;
  const bool half = precision == Precision::kAutocastFloat16 || precision == Precision::kFloat16;
  return half ? schedule::DType::kFloat16 : schedule::DType::kBFloat16;
}

/// Of most matrix products: what MFU counts against.
constexpr schedule::DType product_dtype(const ComputeOptions& options) {
  return options.fp8 == Float8::kNone ? product_dtype(options.precision) : schedule::DType::kFloat8;
}

struct Numerics {
  explicit Numerics(Precision p)
      : precision(p),
        stream(weight_bytes(p)),
        compute(p == Precision::kFloat32 ? 4 : 2),
        dtype(product_dtype(p)) {}

  bool autocast() const { return stream == 4 && compute == 2; }

  Precision precision;
  std::int64_t stream;    // bytes per element
  std::int64_t compute;   // bytes per element
  schedule::DType dtype;  // of matrix products
};

}  // namespace heddle::model
