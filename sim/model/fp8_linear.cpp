// The part of Linear that runs as Transformer Engine's.

#include "sim/model/float8.h"
#include "sim/model/linear.h"

namespace heddle::model {
namespace {

// Host time in operators of some 5 us: of the autograd function with its products, and of each
// quantizer. Assumed from traces of Transformer Engine 1, in which a linear keeps the host busy for
// 60 to 100 us each way.
constexpr int kForwardOps = 8;
constexpr int kCastOps = 3;
constexpr int kBackwardOps = 6;

}  // namespace

schedule::DType Linear::dtype() const {
  return fp8() ? schedule::DType::kFloat8 : builder_.numerics().dtype;
}

void Linear::keep_fp8() {
  const Float8 scaling = builder_.options().fp8;
  weight_copy_ =
      builder_.saved(name_ + " weight fp8", 2 * fp8_bytes(scaling, shape_.in * shape_.out));
  if (shape_.shares_input && norm_casts()) return;
  input_copy_ = builder_.saved(name_ + " input fp8", fp8_bytes(scaling, tokens_ * shape_.in));
}

void Linear::cast_to_fp8(const Tensors& live) const {
  const Float8 scaling = builder_.options().fp8;
  const CastCost weight = fp8_cast(scaling, shape_.in * shape_.out);
  builder_.forward(name_ + " weight to fp8")
      .traffic(weight.bytes, weight.kernels)
      .dispatches(kCastOps)
      .saves({weight_copy_, norm_casts() ? input_copy_ : -1})
      .transient(live)
      .reads({weight_});
  if (norm_casts()) return;
  const CastCost input = fp8_cast(scaling, tokens_ * shape_.in);
  builder_.forward(name_ + " input to fp8")
      .traffic(input.bytes, input.kernels)
      .dispatches(kCastOps)
      .saves({input_copy_})
      .transient(live);
}

/// The input's other direction lives until the product is done.
void Linear::fp8_forward(const Tensors& live, int output) const {
  cast_to_fp8(live);
  builder_.forward(name_)
      .gemm(dtype(), tokens_, shape_.out, shape_.in)
      .dispatches(kForwardOps)
      .saves({output})
      .transient(live + fp8_bytes(builder_.options().fp8, tokens_ * shape_.in))
      .reads({weight_, bias_});
  builder_.used({weight_copy_, input_copy_});
}

void Linear::fp8_backward(const Tensors& live, int input) const {
  const Float8 scaling = builder_.options().fp8;
  const std::int64_t elements = tokens_ * shape_.out;
  const CastCost gradient = fp8_cast(scaling, elements);
  builder_.backward(name_ + " output grad to fp8")
      .traffic(gradient.bytes, gradient.kernels)
      .dispatches(kBackwardOps)
      .transient(live + 2 * fp8_bytes(scaling, elements))
      .gradients({bias_});
  const Tensors with = live + 2 * fp8_bytes(scaling, elements);
  builder_.backward(name_ + " input grad")
      .gemm(dtype(), tokens_, shape_.in, shape_.out)
      .dispatches(kBackwardOps)
      .transient(with)
      .reads({weight_});
  builder_.backward(name_ + " weight grad")
      .gemm(dtype(), shape_.out, shape_.in, tokens_)
      .dispatches(kBackwardOps)
      .drops({input, input_copy_, weight_copy_})
      .transient(with)
      .gradients({weight_});
}

}  // namespace heddle::model
