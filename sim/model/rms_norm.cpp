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

// Gemma's. Forward: 1 + w is a kernel more; bf16: w's cast, too, and the product is fp32 (times
// 1 + w 8, to bf16 6). Backward in bf16: to fp32 6, g w 8, g n 12, sum 4 and then as above; one
// kernel more, the cast of w's gradient.
constexpr std::int64_t kOffsetBytes = 4;
constexpr std::int64_t kOffsetBackwardBytes = 12;

// A frozen weight: no g n (bf16: 6, n broadcast in fp32 rounding; fp32: 12), no sum (2; 4), and
// their view and hand-over (2 detach).
constexpr std::int64_t kWeightBytes = 8;
constexpr std::int64_t kWeightBytesFp32 = 16;
constexpr int kWeightKernels = 2;
constexpr int kWeightOps = 5;

// Fused (Liger): allocations of y and 1/rms, view, kernel, view; backward: allocations of dx and of
// the weight's partial sums, kernel, their sum, its cast and the hand-over.
constexpr int kFusedOps = 5;
constexpr int kFusedBackwardOps = 6;
constexpr int kFusedBackwardKernels = 2;

}  // namespace

RmsNorm::RmsNorm(ModuleBuilder& builder, const std::string& path, std::int64_t hidden,
                 std::int64_t tokens, bool output_kept, RmsForm form)
    : builder_(builder),
      elements_(tokens * hidden),
      form_(form),
      stream_bytes_(elements_ *
                    (form.computed_input ? builder.numerics().compute : builder.numerics().stream)),
      output_bytes_(elements_ * builder.numerics().stream),
      fused_(builder.options().fused_norm || builder.compiled()),
      keeps_stream_(fused_ || !casts()) {
  const Numerics& numerics = builder.numerics();
  builder.begin_submodule();
  weight_ = builder.param(path + ".weight", {hidden});
  input_ = builder.saved(path + (fused_ ? " input" : " input fp32"),
                         fused_ ? stream_bytes_ : elements_ * 4);
  inverse_rms_ = builder.saved(path + " 1/rms", tokens * 4);
  if (!fused_ && !builder.frozen()) {
    normalized_ = builder.saved(path + " normalized", form.offset ? elements_ * 4 : stream_bytes_);
  }
  if (!fused_ && form.offset) factor_ = builder.saved(path + " 1 + w", hidden * 4);
  if (!numerics.autocast() && output_kept) {
    output_ = builder.saved(path + " output", stream_bytes_);
  }
}

void RmsNorm::forward(const Tensors& live, int stream) const {
  RowBuilder row = builder_.forward("norm");
  row.saves({stream, input_, inverse_rms_, normalized_, factor_, output_}).reads({weight_});
  if (fused_) {
    row.traffic(2 * stream_bytes_).dispatches(kFusedOps).transient(live);
    return;
  }
  // A frozen weight leaves the normalized tensor to the product alone.
  const std::int64_t normalized = normalized_ < 0 ? stream_bytes_ : 0;
  const int skipped = casts() ? 0 : kCasts;
  const int more = form_.offset ? (casts() ? 2 : 1) : 0;
  const std::int64_t bytes =
      casts() ? kForwardBytes + (form_.offset ? kOffsetBytes : 0) : kForwardBytesFp32;
  row.traffic(elements_ * bytes, kForwardKernels - skipped + more)
      .dispatches(kForwardOps - skipped + more)
      .transient(live + Tensors{elements_ * 4, normalized});  // x^2, then x/rms, then rounded
}

void RmsNorm::backward(const Tensors& live) const {
  if (!fused_) {
    eager_backward(live);
    return;
  }
  builder_.backward("norm backward")
      .traffic(3 * stream_bytes_, kFusedBackwardKernels)
      .dispatches(kFusedBackwardOps)
      .drops({input_, inverse_rms_})
      .transient(live + Tensors::copies(2, stream_bytes_))
      .reads({weight_})
      .gradients({builder_.frozen() ? -1 : weight_});
}

void RmsNorm::eager_backward(const Tensors& live) const {
  const bool frozen = builder_.frozen();
  const bool more = form_.offset && casts();
  const int skipped = casts() ? 0 : kCasts;
  const std::int64_t bytes = kBackwardBytes + (more ? kOffsetBackwardBytes : 0);
  const std::int64_t weight_bytes = casts() ? kWeightBytes : kWeightBytesFp32;
  builder_.backward("norm backward")
      .traffic(elements_ * (bytes - (frozen ? weight_bytes : 0)),
               kBackwardKernels - skipped + (more ? 1 : 0) - (frozen ? kWeightKernels : 0))
      .dispatches(kBackwardOps - skipped + (more ? 1 : 0) - (frozen ? kWeightOps : 0))
      .drops({input_, inverse_rms_, normalized_, factor_})
      .transient(live + Tensors::copies(kBackwardTensors, elements_ * 4))
      .reads({weight_})
      .gradients({frozen ? -1 : weight_});
}

}  // namespace heddle::model
