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
constexpr int kCompiledRotaryKernels = 3;  // one each for q, k, v

// With fp32 weights the frequencies are fp32 already; in fp32 cos and sin stay what they are, too.
int skipped_table_casts(const Numerics& numerics) {
  if (numerics.precision == Precision::kFloat32) return 3;
  return numerics.autocast() ? 1 : 0;
}

/// Query, key or value.
LinearShape projection(const char* path, const ModelSpec& spec, std::int64_t heads,
                       bool shares_input = false) {
  return {.path = path,
          .in = spec.hidden,
          .out = heads * spec.head_dim,
          .bias = spec.qkv_bias,
          .from_stream = true,
          .shares_input = shares_input};
}

}  // namespace

DecoderAttention::DecoderAttention(ModuleBuilder& builder, const ModelSpec& spec,
                                   const BatchShape& batch, bool recomputed)
    : builder_(builder),
      shape_(spec, batch, builder.numerics()),
      hidden_bytes_(shape_.tokens * spec.hidden * builder.numerics().compute),
      stream_bytes_(shape_.tokens * spec.hidden * builder.numerics().stream),
      repeats_(spec.kv_heads != spec.heads && builder.options().attention != Attention::kGrouped),
      tables_(batch.sequence * spec.head_dim * builder.numerics().compute),
      q_proj_(builder, projection("self_attn.q_proj", spec, spec.heads), shape_.tokens),
      k_proj_(builder, projection("self_attn.k_proj", spec, spec.kv_heads, true), shape_.tokens),
      v_proj_(builder, projection("self_attn.v_proj", spec, spec.kv_heads, true), shape_.tokens),
      o_proj_(builder,
              {.path = "self_attn.o_proj", .in = spec.heads * spec.head_dim, .out = spec.hidden},
              shape_.tokens) {
  if (spec.qk_norm) {
    constexpr RmsForm kForm{.offset = false, .computed_input = true};
    q_norm_.emplace(builder, "self_attn.q_norm", spec.head_dim, shape_.tokens * spec.heads, false,
                    kForm);
    k_norm_.emplace(builder, "self_attn.k_norm", spec.head_dim, shape_.tokens * spec.kv_heads,
                    false, kForm);
  }
  if (!builder.compiled()) {
    cos_ = builder.saved("rotary cos", tables_);
    sin_ = builder.saved("rotary sin", tables_);
  }
  const std::int64_t kv = repeats() ? shape_.q_bytes : shape_.kv_bytes;
  heads_.query = builder.saved("query", shape_.q_bytes);
  heads_.key = builder.saved("key", kv);
  heads_.value = builder.saved("value", kv, repeats() ? Held::kBackward : builder.listed());
  if (builder.options().attention == Attention::kEager) {
    eager_.emplace(builder, shape_);
  } else {
    flash_.emplace(builder, shape_, kv);
  }
  if (copies_output() && o_proj_.keeps_input()) {
    output_copy_ = builder.saved("attention output, token-major", shape_.q_bytes);
  }
  add_listed();
  if (builder.options().kv_cache) add_cache(recomputed);
}

/// Selective checkpointing keeps every second product's output: q, v and what follows.
void DecoderAttention::add_listed() {
  if (builder_.options().checkpointing != Checkpointing::kSelective) return;
  projected_query_ = builder_.saved("q_proj output", shape_.q_bytes, Held::kCheckpoint);
  if (!repeats()) return;
  projected_value_ = builder_.saved("v_proj output", shape_.kv_bytes, Held::kCheckpoint);
}

/// The cache holds keys and values before they are repeated. Where they are not, attention keeps
/// the very same tensors, unless recomputation frees those and makes others.
void DecoderAttention::add_cache(bool recomputed) {
  if (!recomputed && !repeats()) return;
  const int key = builder_.saved("cached key", shape_.kv_bytes, Held::kOutput);
  const int value = builder_.saved("cached value", shape_.kv_bytes, Held::kOutput);
  (recomputed ? cached_key_ : rotated_key_) = key;
  (recomputed ? cached_value_ : projected_value_) = value;
}

bool DecoderAttention::copies_output() const {
  return builder_.options().attention != Attention::kGrouped && !builder_.compiled();
}

int DecoderAttention::output() const {
  return copies_output() ? output_copy_ : flash_->output();
}

void DecoderAttention::forward(const Tensors& residual, const Tensors& norm_output,
                               int norm) const {
  project(residual + norm_output, norm);
  if (q_norm_) normalize_heads(residual);
  if (builder_.compiled()) {
    compiled_rotary_forward(residual);
  } else {
    rotary_forward(residual);
    if (repeats()) repeat_forward(residual);
  }
  attention_forward(residual);
  project_output(residual);
}

void DecoderAttention::project(const Tensors& live, int norm) const {
  const std::int64_t q = projected_query_ < 0 ? shape_.q_bytes : 0;
  const std::int64_t kv = shape_.kv_bytes;
  q_proj_.forward(live + q, projected_query_);
  k_proj_.forward(live + Tensors{q, kv});
  // Without repetition the value projection's output is what attention keeps.
  const int value = repeats() ? projected_value_ : heads_.value;
  v_proj_.forward(live + Tensors{q, kv, value < 0 ? kv : 0}, value);
  builder_.used({norm});
}

/// A norm that keeps its input as it is does so beside the projection's output: an upper bound.
void DecoderAttention::normalize_heads(const Tensors& residual) const {
  const Tensors value = residual + loose_value();
  q_norm_->forward(value + Tensors{shape_.q_bytes, shape_.kv_bytes, q_norm_->loose_output()});
  k_norm_->forward(value +
                   Tensors{shape_.kv_bytes, q_norm_->loose_output(), k_norm_->loose_output()});
}

void DecoderAttention::normalize_heads_backward(const Tensors& residual) const {
  const Tensors gradients{shape_.q_bytes, shape_.kv_bytes, shape_.kv_bytes};
  k_norm_->backward(residual + gradients);
  q_norm_->backward(residual + gradients);
}

void DecoderAttention::rotary_forward(const Tensors& live) const {
  // Per rotated byte: negate half 1, concatenate 2, two products 2 x 2, add 3; tables: fp32
  // concatenation, cos, sin and two casts, 36 bytes per position and dimension.
  const std::int64_t q = shape_.q_bytes;
  const std::int64_t kv = shape_.kv_bytes;
  const std::int64_t tables = shape_.batch.sequence * shape_.head_dim * 36;
  const int skipped = skipped_table_casts(builder_.numerics());
  builder_.forward("rotary")
      .traffic((q + kv) * 10 + tables, kRotaryKernels - skipped)
      .dispatches(kRotaryOps - skipped)
      .saves({cos_, sin_, heads_.query, repeats() ? rotated_key_ : heads_.key, cached_key_,
              cached_value_})
      .transient(live + Tensors{projected_query_ < 0 ? q : 0, kv, loose_value()} +
                 Tensors::copies(3, q));
  builder_.used({projected_query_});
}

void DecoderAttention::repeat_forward(const Tensors& live) const {
  builder_.forward("repeat k and v")
      .traffic(2 * (shape_.kv_bytes + shape_.q_bytes), 2)
      .dispatches(kRepeatOps)
      .saves({heads_.key, heads_.value})
      .transient(live + Tensors{rotated_key_ < 0 ? shape_.kv_bytes : 0,
                                projected_value_ < 0 ? shape_.kv_bytes : 0});
  builder_.used({projected_value_, rotated_key_});
}

/// The value projection's output besides saved tensors, until it is repeated. (SDPA without
/// repetition counts it although it is what attention keeps: an upper bound, T 2 kv.)
std::int64_t DecoderAttention::loose_value() const {
  const bool kept = projected_value_ >= 0 || builder_.options().attention == Attention::kGrouped;
  return kept ? 0 : shape_.kv_bytes;
}

/// Rotation and repetition at once, from the projections' outputs.
void DecoderAttention::compiled_rotary_forward(const Tensors& live) const {
  const std::int64_t q = shape_.q_bytes;
  const std::int64_t kv = shape_.kv_bytes;
  const bool value = repeats();  // else the projection's output stays as it is
  builder_.forward("rotary")
      .traffic(2 * q + kv + (value ? kv + 2 * q : kv), kCompiledRotaryKernels - (value ? 0 : 1))
      .dispatches(kCompiledRotaryKernels)
      .saves({heads_.query, heads_.key, value ? heads_.value : -1, rotated_key_, cached_key_,
              cached_value_})
      .transient(live +
                 Tensors{projected_query_ < 0 ? q : 0, kv, value && projected_value_ < 0 ? kv : 0});
  builder_.used({projected_query_, projected_value_});
}

void DecoderAttention::attention_forward(const Tensors& live) const {
  flash_ ? flash_->forward(live, heads_) : eager_->forward(live, heads_);
  if (!copies_output()) return;
  const std::int64_t loose = output_copy_ < 0 ? shape_.q_bytes : 0;
  builder_.forward("attention output copy")
      .traffic(2 * shape_.q_bytes)
      .dispatches(1)
      .saves({output_copy_})
      .transient(live + Tensors{loose, flash_ ? 0 : shape_.q_bytes});
  if (flash_) builder_.used({flash_->output()});
}

void DecoderAttention::project_output(const Tensors& residual) const {
  const std::int64_t loose = copies_output() && output_copy_ < 0 ? shape_.q_bytes : 0;
  o_proj_.forward(residual + Tensors{hidden_bytes_, loose});
  builder_.used({output()});
}

void DecoderAttention::backward(const Tensors& residual, int norm) const {
  const std::int64_t d_output = builder_.numerics().autocast() ? hidden_bytes_ : 0;
  o_proj_.backward(residual + d_output + shape_.q_bytes, output_copy_);
  flash_ ? flash_->backward(residual, heads_) : eager_->backward(residual, heads_);
  const Tensors d_query = residual + shape_.q_bytes;
  if (builder_.compiled()) {
    compiled_rotary_backward(d_query);
  } else {
    if (repeats()) repeat_backward(d_query);
    rotary_backward(d_query);
  }
  if (q_norm_) normalize_heads_backward(residual);
  project_backward(residual, norm);
}

void DecoderAttention::repeat_backward(const Tensors& live) const {
  // Each of dK, dV: sum over the group, then four slice_backward (fill 1, copy 1 + 1).
  const std::int64_t q = shape_.q_bytes;
  const std::int64_t kv = shape_.kv_bytes;
  builder_.backward("repeat k and v backward")
      .traffic(2 * (q + kv) + 2 * 4 * 3 * kv, kRepeatBackwardKernels)
      .dispatches(kRepeatBackwardOps)
      .transient(live + Tensors{q, q, kv, kv});
}

void DecoderAttention::rotary_backward(const Tensors& live) const {
  // Per rotated byte: two products 4, negate half 1, two slice_backward 4, two adds 6; the clones
  // that undo the head transpose move q, k and v once more.
  const std::int64_t q = shape_.q_bytes;
  const std::int64_t kv = shape_.kv_bytes;
  builder_.backward("rotary backward")
      .traffic((q + kv) * 15 + 2 * (q + 2 * kv), kRotaryBackwardKernels)
      .dispatches(kRotaryBackwardOps)
      .drops({cos_, sin_})
      .transient(live + Tensors::copies(2, kv) + Tensors::copies(3, q));
}

void DecoderAttention::compiled_rotary_backward(const Tensors& live) const {
  const std::int64_t q = shape_.q_bytes;
  const std::int64_t kv = shape_.kv_bytes;
  const std::int64_t wide = repeats() ? q : kv;
  builder_.backward("rotary backward")
      .traffic(2 * q + 2 * (wide + kv), kCompiledRotaryKernels)
      .dispatches(kCompiledRotaryKernels)
      .transient(live + Tensors{wide, wide, q, kv, kv});
}

void DecoderAttention::project_backward(const Tensors& residual, int norm) const {
  const std::int64_t q = shape_.q_bytes;
  const std::int64_t kv = shape_.kv_bytes;
  const std::int64_t stream = stream_bytes_;
  v_proj_.backward(residual + Tensors{q, kv, kv, stream});
  k_proj_.backward(residual + Tensors{q, kv, stream, stream});
  builder_.backward("sum k and v")
      .traffic(3 * stream)
      .dispatches(1)
      .transient(residual + Tensors{q, stream, stream, stream});
  q_proj_.backward(residual + Tensors{q, stream, stream}, norm);
  builder_.backward("sum q, k and v")
      .traffic(3 * stream)
      .dispatches(1)
      .transient(residual + Tensors::copies(3, stream));
}

}  // namespace heddle::model
