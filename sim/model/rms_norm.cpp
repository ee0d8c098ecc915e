#include "sim/model/rms_norm.h"

namespace heddle::model {
namespace {

// Bytes per element read and written, operator by operator.
// bf16: to fp32 2+4, pow 4+4, mean 4, x * 1/rms 4+4, to bf16 4+2, w * 2+2
constexpr std::int64_t kForwardBytes = 36;
// fp32: pow 8, mean 4, x * 1/rms 8, w * 8
constexpr std::int64_t kForwardBytesFp32 = 28;
// bf16: g w 4, g n 6 (n broadcast in fp32 rounding), sum 2, to fp32 6, g/rms 8, g x 12, sum 4,
// mean's backward 4, pow 8, 2 x 8, times g 12, add 12, to bf16 6. fp32 comes to the same: 8, 12, 4,
// no casts.
constexpr std::int64_t kBackwardBytes = 92;
// At the backward of pow four fp32 tensors are alive: g/rms, mean's gradient, 2 x, their product.
constexpr int kBackwardTensors = 4;

constexpr int kForwardOps = 9;    // 8 kernels and the detach of the saved output of rsqrt
constexpr int kBackwardOps = 21;  // 16 kernels, expand, view, 3 detach
constexpr int kForwardKernels = 8;
constexpr int kBackwardKernels = 16;
constexpr int kCasts = 2;  // among them, where the stream is not fp32

}  // namespace

RmsNorm::RmsNorm(ModuleBuilder& builder, const std::string& path, std::int64_t hidden,
                 std::int64_t tokens)
    : builder_(builder), elements_(tokens * hidden) {
  const Numerics& numerics = builder.numerics();
  builder.begin_submodule();
  weight_ = builder.param(path + ".weight", {hidden});
  input_ = builder.saved(path + " input fp32", elements_ * 4);
  inverse_rms_ = builder.saved(path + " 1/rms", tokens * 4);
  normalized_ = builder.saved(path + " normalized", elements_ * numerics.stream);
  if (!numerics.autocast()) {
    output_ = builder.saved(path + " output", elements_ * numerics.stream);
  }
}

void RmsNorm::forward(const Tensors& live) const {
  const bool casts = builder_.numerics().stream == 2;
  builder_.forward("norm")
      .traffic(elements_ * (casts ? kForwardBytes : kForwardBytesFp32),
               kForwardKernels - (casts ? 0 : kCasts))
      .dispatches(kForwardOps - (casts ? 0 : kCasts))
      .saves({input_, inverse_rms_, normalized_, output_})
      .transient(live + elements_ * 4)  // x^2, then x/rms before it is rounded
      .reads({weight_});
}

void RmsNorm::backward(const Tensors& live) const {
  const bool casts = builder_.numerics().stream == 2;
  builder_.backward("norm backward")
      .traffic(elements_ * kBackwardBytes, kBackwardKernels - (casts ? 0 : kCasts))
      .dispatches(kBackwardOps - (casts ? 0 : kCasts))
      .drops({input_, inverse_rms_, normalized_})
      .transient(live + Tensors::copies(kBackwardTensors, elements_ * 4))
      .reads({weight_})
      .gradients({weight_});
}

}  // namespace heddle::model
