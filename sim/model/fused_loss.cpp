#include "sim/model/fused_loss.h"

#include <algorithm>
#include <bit>

#include "sim/model/rms_norm.h"
#include "sim/model/stream_shape.h"

namespace heddle::model {
namespace {

constexpr std::int64_t kCastBytes = 6;
constexpr int kHeadModules = 2;
// Derived from Liger's loop over pieces: slice, transpose and product; upcast, kernel, cast back;
// product; transpose and product. Around it: three allocations.
constexpr int kLogitsOps = 4;
constexpr int kLossOps = 3;
constexpr int kInputOps = 3;
constexpr int kWeightOps = 3;
constexpr int kAllocations = 3;

class FusedHead {
 public:
  FusedHead(const ModelSpec& spec, const BatchShape& batch, const ComputeOptions& options);
  Module build();

 private:
  void begin();
  void piece(std::int64_t rows);
  void backward();

  const ModelSpec& spec_;
  StreamShape stream_;
  ModuleBuilder builder_;
  RmsNorm norm_;
  std::int64_t table_;  // bytes of the weight's gradient
  std::int64_t cast_;   // bytes of autocast's copy of the weight, which its cache holds
  int weight_;
  int weight_copy_ = -1;
  int input_gradient_;
  int weight_gradient_ = -1;
};

FusedHead::FusedHead(const ModelSpec& spec, const BatchShape& batch, const ComputeOptions& options)
    : spec_(spec),
      stream_(spec, batch, options),
      builder_("norm+head", ModuleKind::kHead, options),
      // The kernel has made the gradients, so that nobody keeps its input.
      norm_(builder_, "norm", spec.hidden, stream_.tokens, false, {spec.offset_norm}),
      table_(spec.vocab * spec.hidden * builder_.numerics().stream),
      cast_(spec.vocab * spec.hidden * builder_.numerics().compute) {
  builder_.begin_submodule();
  weight_ = builder_.param("lm_head.weight", {spec.vocab, spec.hidden}, true);
  if (builder_.numerics().autocast()) {
    weight_copy_ = builder_.saved("lm_head weight cast", cast_, Held::kForward);
  }
  input_gradient_ = builder_.saved("gradient of the head's input", stream_.bytes);
  if (!builder_.frozen()) weight_gradient_ = builder_.saved("head gradient", table_);
}

void FusedHead::begin() {
  const Tensors live = {norm_.stream() < 0 ? stream_.bytes : 0, norm_.loose_output()};
  norm_.forward(live);
  if (weight_copy_ >= 0) {
    builder_.forward("lm_head weight cast")
        .traffic(spec_.vocab * spec_.hidden * kCastBytes)
        .dispatches(1)
        .saves({weight_copy_})
        .transient(norm_.loose_output())
        .reads({weight_})
        .weight_cast();
  }
  builder_.forward("zero gradients")
      .traffic(stream_.bytes + (weight_gradient_ < 0 ? 0 : table_), weight_gradient_ < 0 ? 1 : 2)
      .dispatches(kAllocations)
      .saves({input_gradient_, weight_gradient_})
      .transient(norm_.loose_output());
}

void FusedHead::piece(std::int64_t rows) {
  const Numerics& numerics = builder_.numerics();
  const std::int64_t logits = rows * spec_.vocab;
  const Tensors live = {norm_.loose_output(), logits * numerics.compute};
  builder_.forward("piece of logits")
      .gemm(numerics.dtype, rows, spec_.vocab, spec_.hidden)
      .dispatches(kLogitsOps)
      .transient(live)
      .reads({weight_});
  // Upcast, the kernel's read of each row twice and its write in place, and the cast back.
  const bool upcasts = numerics.compute != 4;
  builder_.forward("piece of cross-entropy")
      .traffic(logits * (12 + (upcasts ? 2 * kCastBytes : 0)), upcasts ? 3 : 1)
      .dispatches(kLossOps)
      .transient(live + (upcasts ? logits * 4 : 0));
  builder_.forward("piece of the input's gradient")
      .gemm(numerics.dtype, rows, spec_.hidden, spec_.vocab)
      .dispatches(kInputOps)
      .transient(live + rows * spec_.hidden * numerics.compute)
      .reads({weight_});
  if (weight_gradient_ < 0) return;
  builder_.forward("piece of the head's gradient")
      .gemm(numerics.dtype, spec_.vocab, spec_.hidden, rows)
      .dispatches(kWeightOps)
      .transient(live + (numerics.autocast() ? cast_ : 0));
}

void FusedHead::backward() {
  // Both gradients are handed on as they are, the loss' own being 1. The weight's goes to
  // the strategy, which makes it a buffer of its own.
  builder_.backward("fused loss backward").dispatches(2).drops({weight_gradient_});
  if (weight_gradient_ >= 0) {
    builder_.backward("head gradient").dispatches(1).gradients({weight_});
  }
  norm_.backward(Tensors{});
  builder_.dropped({input_gradient_});
}

Module FusedHead::build() {
  begin();
  const std::int64_t rows = fused_loss_piece(stream_.tokens, spec_.vocab, spec_.hidden);
  for (std::int64_t first = 0; first < stream_.tokens; first += rows) {
    piece(std::min(rows, stream_.tokens - first));
  }
  backward();
  return builder_.finish(kHeadModules);
}

}  // namespace

std::int64_t fused_loss_piece(std::int64_t positions, std::int64_t vocab, std::int64_t hidden) {
  const std::int64_t factor = (vocab + hidden - 1) / hidden;
  const std::int64_t rows = (positions + factor - 1) / factor;
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(rows)));
}

Module build_fused_head(const ModelSpec& spec, const BatchShape& batch,
                        const ComputeOptions& options) {
  return FusedHead(spec, batch, options).build();
}

Module build_fused_loss(const BatchShape& batch, const ComputeOptions& options) {
  ModuleBuilder builder("loss", ModuleKind::kLoss, options);
  const std::int64_t losses = batch.micro_batch * batch.sequence * 4;
  builder.forward("sum of losses").traffic(losses).dispatches(1).transient(losses);
  builder.backward("sum of losses backward").traffic(4).dispatches(1);
  return builder.finish(1);
}

}  // namespace heddle::model
