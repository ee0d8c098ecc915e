#include "sim/model/decoder_attention.h"

namespace heddle::model {
namespace {

// Operators that reach the backend, counted with torch 2.5.1 and transformers 4.46.3 (README).
constexpr int kRotaryOps = 37 + 3 * 2;  // tables 21, rotation 16; view and transpose of q, k, v
constexpr int kRotaryKernels = 18;      // tables 8, rotation 10
constexpr int kRotaryBackwardOps = 18 + 3 * 3;      // with transpose, clone and view of q, k, v
constexpr int kRotaryBackwardKernels = 14 + 4 + 3;  // slice_backward fills, then copies: 4 more
constexpr int kRepeatOps = 16;
constexpr int kRepeatBackwardOps = 14;
constexpr int kRepeatBackwardKernels = 2 + 2 * 8;
constexpr int kAttentionOps = 5;  // detach, transpose, copy, view
constexpr int kAttentionBackwardOps = 4;
constexpr int kFlashBackwardKernels = 3;  // dO.O, the main kernel, dQ's rounding

// With fp32 weights the frequencies are fp32 already; in fp32 cos and sin stay what they are, too.
int skipped_table_casts(const Numerics& numerics) {
  if (numerics.precision == Precision::kFloat32) return 3;
  return numerics.autocast() ? 1 : 0;
}

LinearShape projection(const char* path, std::int64_t in, std::int64_t out, bool from_stream) {
  return {.path = path, .in = in, .out = out, .bias = false, .from_stream = from_stream};
}

}  // namespace

DecoderAttention::DecoderAttention(ModuleBuilder& builder, const ModelSpec& spec,
                                   const BatchShape& batch)
    : builder_(builder),
      spec_(spec),
      batch_(batch),
      tokens_(batch.micro_batch * batch.sequence),
      hidden_bytes_(tokens_ * spec.hidden * builder.numerics().compute),
      q_bytes_(tokens_ * spec.heads * spec.head_dim * builder.numerics().compute),
      kv_bytes_(tokens_ * spec.kv_heads * spec.head_dim * builder.numerics().compute),
      q_proj_(builder,
              projection("self_attn.q_proj", spec.hidden, spec.heads * spec.head_dim, true),
              tokens_),
      k_proj_(builder,
              projection("self_attn.k_proj", spec.hidden, spec.kv_heads * spec.head_dim, true),
              tokens_),
      v_proj_(builder,
              projection("self_attn.v_proj", spec.hidden, spec.kv_heads * spec.head_dim, true),
              tokens_),
      o_proj_(builder,
              projection("self_attn.o_proj", spec.heads * spec.head_dim, spec.hidden, false),
              tokens_) {
  const std::int64_t table = batch.sequence * spec.head_dim * builder.numerics().compute;
  cos_ = builder.saved("rotary cos", table);
  sin_ = builder.saved("rotary sin", table);
  query_ = builder.saved("query", q_bytes_);
  key_ = builder.saved("key", q_bytes_);
  value_ = builder.saved("value", q_bytes_);
  output_ = builder.saved("attention output", q_bytes_);
  output_copy_ = builder.saved("attention output, token-major", q_bytes_);
  log_sum_exp_ = builder.saved("log-sum-exp", tokens_ * spec.heads * 4);
}

void DecoderAttention::forward(const Tensors& residual, const Tensors& norm_output) const {
  const Tensors live = residual + norm_output;
  q_proj_.forward(live + q_bytes_);
  k_proj_.forward(live + q_bytes_ + kv_bytes_);
  // Without repetition the value projection's output is what attention keeps.
  v_proj_.forward(live + q_bytes_ + kv_bytes_ + (grouped() ? kv_bytes_ : 0),
                  grouped() ? -1 : value_);
  rotary_forward(residual);
  if (grouped()) repeat_forward(residual);
  attention_forward(residual);
  o_proj_.forward(residual + hidden_bytes_);
}

void DecoderAttention::rotary_forward(const Tensors& live) const {
  // Per rotated byte: negate half 1, concatenate 2, two products 2 x 2, add 3; tables: fp32
  // concatenation, cos, sin and two casts, 36 bytes per position and dimension.
  const std::int64_t tables = batch_.sequence * spec_.head_dim * 36;
  const int skipped = skipped_table_casts(builder_.numerics());
  builder_.forward("rotary")
      .traffic((q_bytes_ + kv_bytes_) * 10 + tables, kRotaryKernels - skipped)
      .dispatches(kRotaryOps - skipped)
      .saves({cos_, sin_, query_, grouped() ? -1 : key_})
      .transient(live + Tensors{q_bytes_, kv_bytes_, kv_bytes_} + Tensors::copies(3, q_bytes_));
}

void DecoderAttention::repeat_forward(const Tensors& live) const {
  builder_.forward("repeat k and v")
      .traffic(2 * (kv_bytes_ + q_bytes_), 2)
      .dispatches(kRepeatOps)
      .saves({key_, value_})
      .transient(live + Tensors::copies(2, kv_bytes_));
}

schedule::Kernel DecoderAttention::flash(bool backward) const {
  const auto s = static_cast<double>(batch_.sequence);
  const auto heads = static_cast<double>(batch_.micro_batch * spec_.heads);
  schedule::Kernel kernel;
  kernel.kind = schedule::KernelKind::kAttention;
  kernel.dtype = builder_.numerics().dtype;
  kernel.backward = backward;
  kernel.causal = true;
  kernel.batch = batch_.micro_batch * spec_.heads;
  kernel.m = batch_.sequence;
  kernel.n = batch_.sequence;
  kernel.k = spec_.head_dim;
  // Two products of 2 s^2 d each, half of it masked; backward has five (one recomputed).
  kernel.flops = {heads * s * s * static_cast<double>(spec_.head_dim) * (backward ? 5.0 : 2.0)};
  kernel.bytes = {(backward ? 8 : 4) * q_bytes_};
  kernel.launches = backward ? kFlashBackwardKernels : 1;
  return kernel;
}

void DecoderAttention::attention_forward(const Tensors& live) const {
  builder_.forward("attention")
      .attention(flash(false))
      .dispatches(kAttentionOps - 1)
      .saves({output_, log_sum_exp_})
      .transient(live);
  builder_.forward("attention output copy")
      .traffic(2 * q_bytes_)
      .dispatches(1)
      .saves({output_copy_})
      .transient(live);
}

void DecoderAttention::backward(const Tensors& residual, int norm) const {
  const std::int64_t d_output = builder_.numerics().autocast() ? hidden_bytes_ : 0;
  o_proj_.backward(residual + d_output + q_bytes_, output_copy_);
  attention_backward(residual);
  const Tensors d_query = residual + q_bytes_;
  if (grouped()) repeat_backward(d_query);
  rotary_backward(d_query);
  project_backward(residual, norm);
}

void DecoderAttention::attention_backward(const Tensors& live) const {
  // dO, dQ, dK, dV, an fp32 accumulator for dQ and dO.O per row.
  const std::int64_t accumulator = tokens_ * spec_.heads * spec_.head_dim * 4;
  const std::int64_t sums = tokens_ * spec_.heads * 4;
  builder_.backward("attention backward")
      .attention(flash(true))
      .dispatches(kAttentionBackwardOps)
      .drops({query_, key_, value_, output_, log_sum_exp_})
      .transient(live + Tensors::copies(4, q_bytes_) + accumulator + sums);
}

void DecoderAttention::repeat_backward(const Tensors& live) const {
  // Each of dK, dV: sum over the group, then four slice_backward (fill 1, copy 1 + 1).
  builder_.backward("repeat k and v backward")
      .traffic(2 * (q_bytes_ + kv_bytes_) + 2 * 4 * 3 * kv_bytes_, kRepeatBackwardKernels)
      .dispatches(kRepeatBackwardOps)
      .transient(live + Tensors{q_bytes_, q_bytes_, kv_bytes_, kv_bytes_});
}

void DecoderAttention::rotary_backward(const Tensors& live) const {
  // Per rotated byte: two products 4, negate half 1, two slice_backward 4, two adds 6; the clones
  // that undo the head transpose move q, k and v once more.
  builder_.backward("rotary backward")
      .traffic((q_bytes_ + kv_bytes_) * 15 + 2 * (q_bytes_ + 2 * kv_bytes_), kRotaryBackwardKernels)
      .dispatches(kRotaryBackwardOps)
      .drops({cos_, sin_})
      .transient(live + Tensors::copies(2, kv_bytes_) + Tensors::copies(3, q_bytes_));
}

void DecoderAttention::project_backward(const Tensors& residual, int norm) const {
  const std::int64_t stream = tokens_ * spec_.hidden * builder_.numerics().stream;
  v_proj_.backward(residual + Tensors{q_bytes_, kv_bytes_, kv_bytes_, stream});
  k_proj_.backward(residual + Tensors{q_bytes_, kv_bytes_, stream, stream});
  builder_.backward("sum k and v")
      .traffic(3 * stream)
      .dispatches(1)
      .transient(residual + Tensors{q_bytes_, stream, stream, stream});
  q_proj_.backward(residual + Tensors{q_bytes_, stream, stream}, norm);
  builder_.backward("sum q, k and v")
      .traffic(3 * stream)
      .dispatches(1)
      .transient(residual + Tensors::copies(3, stream));
}

}  // namespace heddle::model
