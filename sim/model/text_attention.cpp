#include "sim/model/text_attention.h"

#include <string>

namespace heddle::model {
namespace {

constexpr int kFlashBackwardKernels = 3;
constexpr int kOps = 4;          // detach of the saved output, transpose, view
constexpr int kBackwardOps = 4;  // view, transpose, detach
// Per rotated tensor: product, negation, concatenation, product, sum; then one with the rest.
constexpr int kRotateKernels = 12;
// Autocast: the unrotated parts go to fp32, queries and keys come back; backward also rounds the
// gradients of four products.
constexpr int kRotateCasts = 4;
constexpr int kRotateBackwardCasts = 8;

}  // namespace

TextAttention::TextAttention(ModuleBuilder& builder, const ModelSpec& spec, const BatchShape& batch)
    : builder_(builder),
      spec_(spec),
      layout_(text_layout(spec.text_kind)),
      batch_(batch),
      tokens_(batch.micro_batch * batch.sequence),
      bytes_(tokens_ * spec.heads * spec.head_dim * builder.numerics().compute),
      stream_(tokens_ * spec.hidden * builder.numerics().stream),
      rotated_(tokens_ * spec.heads * spec.rotary_dim * builder.numerics().stream) {
  if (builder.options().attention == Attention::kEager) eager_.emplace(builder, spec, batch);
  add_projections(spec);
  if (eager_) {
    output_copy_ = builder.saved("attention output, token-major", bytes_);
    return;
  }
  if (rotates()) {
    query_ = builder.saved("query", bytes_);
    key_ = builder.saved("key", bytes_);
    output_copy_ = builder.saved("attention output, token-major", bytes_);
  }
  output_ = builder.saved("attention output", bytes_);
  log_sum_exp_ = builder.saved("log-sum-exp", tokens_ * spec.heads * 4);
}

void TextAttention::add_projections(const ModelSpec& spec) {
  const std::int64_t width = spec.heads * spec.head_dim;
  for (const char* path : layout_.qkv) {
    if (path == nullptr) continue;
    projections_.emplace_back(builder_,
                              LinearShape{.path = path,
                                          .in = spec.hidden,
                                          .out = layout_.fused() ? 3 * width : width,
                                          .bias = spec.qkv_bias,
                                          .from_stream = true,
                                          .transposed = layout_.transposed},
                              tokens_);
  }
  out_.emplace(builder_,
               LinearShape{.path = layout_.out,
                           .in = width,
                           .out = spec.hidden,
                           .bias = spec.qkv_bias,
                           .name = "out",
                           .transposed = layout_.transposed},
               tokens_);
  projected_.assign(projections_.size(), -1);
  if (eager_) return;
  if (layout_.fused()) {
    projected_ = {builder_.saved("query, key, value", 3 * bytes_)};
    return;
  }
  const bool kept = !rotates();
  projected_ = {kept ? builder_.saved("query", bytes_) : -1,
                kept ? builder_.saved("key", bytes_) : -1, builder_.saved("value", bytes_)};
}

void TextAttention::forward(const Tensors& live, const Tensors& norm_output, int input) const {
  project(live + norm_output);
  builder_.used({input});
  attend(live);
  out_->forward(live + Tensors(bytes_));
  builder_.used({output_copy_, output_copy_ < 0 ? output_ : -1});
}

void TextAttention::attend(const Tensors& live) const {
  if (!eager_) {
    rotates() ? rotate_forward(live) : split_forward(live);
    kernel_forward(live);
    return;
  }
  const Tensors held = live + loose_projections();
  split_forward(held);
  eager_->forward(held);
  builder_.forward("attention output copy")
      .traffic(2 * bytes_)
      .dispatches(1)
      .saves({output_copy_})
      .transient(live + bytes_);
}

Tensors TextAttention::loose_projections() const {
  return layout_.fused() ? Tensors(3 * bytes_) : Tensors::copies(3, bytes_);
}

void TextAttention::project(const Tensors& live) const {
  Tensors outputs = live;
  for (std::size_t i = 0; i < projections_.size(); ++i) {
    if (projected_[i] < 0) outputs = outputs + (layout_.fused() ? 3 * bytes_ : bytes_);
    projections_[i].forward(outputs, projected_[i]);
  }
}

void TextAttention::split_forward(const Tensors& live) const {
  builder_.forward("split heads").dispatches(layout_.split_ops).transient(live);
}

void TextAttention::rotate_forward(const Tensors& live) const {
  // Per rotated byte and tensor: negate half 1, concatenate 2, two products 2 x 2, add 3; then the
  // whole head is written. Under autocast the tables are fp32, and so is all of it.
  const bool casts = builder_.numerics().autocast();
  const std::int64_t whole = casts ? 2 * bytes_ : bytes_;
  builder_.forward("rotary")
      .traffic(20 * rotated_ + 4 * whole + (casts ? 2 * (whole + bytes_) : 0),
               kRotateKernels + (casts ? kRotateCasts : 0))
      .dispatches(layout_.split_ops + (casts ? kRotateCasts : 0))
      .saves({query_, key_})
      .transient(live + Tensors::copies(5, rotated_) + Tensors::copies(casts ? 2 : 0, whole) +
                 Tensors::copies(layout_.fused() ? 0 : 2, bytes_));
}

schedule::Kernel TextAttention::flash(bool backward) const {
  const auto s = static_cast<double>(batch_.sequence);
  const auto width = static_cast<double>(batch_.micro_batch * spec_.heads * spec_.head_dim);
  schedule::Kernel kernel;
  kernel.kind = schedule::KernelKind::kAttention;
  kernel.dtype = builder_.numerics().dtype;
  kernel.backward = backward;
  kernel.causal = spec_.family == Family::kDecoder;
  kernel.batch = batch_.micro_batch * spec_.heads;
  kernel.m = batch_.sequence;
  kernel.n = batch_.sequence;
  kernel.k = spec_.head_dim;
  // Two products of 2 s^2 d each; backward has five (one recomputed). Causal: half of it.
  const double flops = s * s * width * (backward ? 10.0 : 4.0);
  kernel.flops = {kernel.causal ? flops / 2.0 : flops};
  kernel.bytes = {(backward ? 8 : 4) * bytes_};
  kernel.launches = backward ? kFlashBackwardKernels : 1;
  return kernel;
}

void TextAttention::kernel_forward(const Tensors& live) const {
  builder_.forward("attention")
      .attention(flash(false))
      .dispatches(kOps)
      .saves({output_, log_sum_exp_})
      .transient(live);
  builder_.used({query_, key_});
  for (const int projected : projected_) builder_.used({projected});
  if (output_copy_ < 0) return;
  builder_.forward("attention output copy")
      .traffic(2 * bytes_)
      .dispatches(1)
      .saves({output_copy_})
      .transient(live);
  builder_.used({output_});
}

void TextAttention::backward(const Tensors& live, std::int64_t d_output, int input) const {
  out_->backward(live + Tensors{d_output, bytes_}, output_copy_);
  eager_ ? eager_->backward(live) : kernel_backward(live);
  split_backward(live);
  project_backward(live, input);
}

void TextAttention::kernel_backward(const Tensors& live) const {
  // dO, dQ, dK, dV, an fp32 accumulator for dQ and dO.O per row.
  const std::int64_t accumulator = tokens_ * spec_.heads * spec_.head_dim * 4;
  const std::int64_t sums = tokens_ * spec_.heads * 4;
  RowBuilder row = builder_.backward("attention backward");
  row.attention(flash(true))
      .dispatches(kBackwardOps)
      .drops({query_, key_, output_, log_sum_exp_})
      .transient(live + Tensors::copies(4, bytes_) + accumulator + sums);
  for (const int projected : projected_) row.drops({projected});
}

void TextAttention::split_backward(const Tensors& live) const {
  RowBuilder row = builder_.backward(rotates() ? "rotary backward" : "split heads backward");
  const bool casts = rotates() && builder_.numerics().autocast();
  const int kernels = layout_.split_backward_kernels + (casts ? kRotateBackwardCasts : 0);
  row.dispatches(layout_.split_backward_ops + (casts ? kRotateBackwardCasts : 0));
  // Gradients of q, k, v; a fused projection's is put together from them: concatenated or, after
  // slices, a sum of three padded ones.
  const std::int64_t joined = layout_.fused() ? 3 * bytes_ : 0;
  std::int64_t traffic = 0;
  if (rotates()) {
    const std::int64_t whole = casts ? 2 * bytes_ : bytes_;
    traffic = 30 * rotated_ + 14 * whole + (layout_.fused() ? 33 : 4) * bytes_;
    row.transient(live + bytes_ + Tensors::copies(2, layout_.fused() ? joined : bytes_) +
                  Tensors{joined} + Tensors::copies(layout_.fused() ? 0 : 3, rotated_));
  } else {
    traffic = 2 * joined;
    row.transient(live + Tensors::copies(3, bytes_) + Tensors(joined));
  }
  if (kernels > 0) row.traffic(traffic, kernels);
}

void TextAttention::project_backward(const Tensors& live, int input) const {
  if (layout_.fused()) {
    projections_[0].backward(live + Tensors{3 * bytes_, bytes_}, input);
    return;
  }
  // Value first; each gradient of the shared input is added to what is there already.
  for (int i = 2; i >= 0; --i) {
    const Tensors rest = live + Tensors::copies(i, bytes_);
    projections_[static_cast<std::size_t>(i)].backward(rest + Tensors::copies(2, bytes_),
                                                       i == 0 ? input : -1);
    builder_.backward("sum input gradients")
        .traffic(3 * stream_)
        .dispatches(1)
        .transient(rest + Tensors::copies(2, stream_));
  }
}

}  // namespace heddle::model
