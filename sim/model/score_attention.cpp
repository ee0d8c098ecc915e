#include "sim/model/score_attention.h"

#include "sim/model/softmax_passes.h"

namespace heddle::model {
namespace {

// Counted with torch 2.5.1 (README, "Operators"): transpose, expand, clone and view of both; bmm
// and view; division; the mask (GPT-2: two scalars, two slices, where, sum); softmax with detach;
// expand, view and clone before the second product.
constexpr int kCopyOps = 7;
constexpr int kProductOps = 2;
constexpr int kScaleOps = 1;
constexpr int kCausalOps = 5;
constexpr int kSoftmaxOps = 2;
constexpr int kValueOps = 5;
constexpr int kOutputOps = 2;  // permute and view; the copy is a row of its own
constexpr int kSplitGradientOps = 8;
constexpr int kProductGradientOps = 3;

}  // namespace

ScoreAttention::ScoreAttention(ModuleBuilder& builder, const ModelSpec& spec,
                               const BatchShape& batch)
    : builder_(builder),
      causal_(spec.family == Family::kDecoder),
      fused_(builder.options().fused_softmax),
      batch_heads_(batch.micro_batch * spec.heads),
      sequence_(batch.sequence),
      head_dim_(spec.head_dim),
      bytes_(batch_heads_ * sequence_ * head_dim_ * builder.numerics().compute),
      scores_(batch_heads_ * sequence_ * sequence_),
      computed_(scores_ * builder.numerics().compute),
      masked_(fused_ ? computed_ : scores_ * builder.numerics().stream),
      query_(builder.saved("query", bytes_)),
      key_(builder.saved("key", bytes_)),
      value_(builder.saved("value", bytes_)),
      softmax_(builder.saved("softmax", masked_)) {
  const bool drops = spec.dropout.attention > 0;
  if (drops) mask_ = builder.saved("attention dropout mask", scores_);
  if (drops || masked_ != computed_) probabilities_ = builder.saved("probabilities", computed_);
}

RowBuilder ScoreAttention::product(RowBuilder row, std::int64_t n, std::int64_t k) const {
  return row.gemm(builder_.numerics().dtype, sequence_, n, k, batch_heads_);
}

void ScoreAttention::score(const Tensors& live) const {
  builder_.forward("head-major copies")
      .traffic(4 * bytes_, 2)
      .dispatches(kCopyOps)
      .saves({query_, key_})
      .transient(live);
  product(builder_.forward("attention scores"), sequence_, head_dim_)
      .dispatches(kProductOps)
      .transient(live + computed_);
  builder_.used({query_, key_});
  if (fused_) return;
  builder_.forward("scale scores")
      .traffic(2 * computed_)
      .dispatches(kScaleOps)
      .transient(live + Tensors::copies(2, computed_));
  builder_.forward("mask scores")
      .traffic(computed_ + masked_ + (causal() ? 2 * computed_ : 0), causal() ? 2 : 1)
      .dispatches(1 + (causal() ? kCausalOps : 0))
      .transient(live + Tensors{computed_, masked_});
}

void ScoreAttention::normalize_fused(const Tensors& live) const {
  builder_.forward("scaled, masked softmax")
      .traffic(read() + computed_)
      .dispatches(kSoftmaxOps)
      .saves({softmax_})
      .transient(live);
}

void ScoreAttention::normalize(const Tensors& live) const {
  if (fused_) {
    normalize_fused(live);
    if (mask_ >= 0) drop_out(live);
    return;
  }
  builder_.forward("softmax")
      .traffic(kSoftmaxPasses * masked_)
      .dispatches(kSoftmaxOps)
      .saves({softmax_})
      .transient(live);
  if (mask_ >= 0) {
    drop_out(live);
  } else if (probabilities_ >= 0) {
    builder_.forward("round probabilities")
        .traffic(masked_ + computed_)
        .dispatches(1)
        .saves({probabilities_})
        .transient(live);
  }
}

/// Rounded before or after, the result is what V meets.
void ScoreAttention::drop_out(const Tensors& live) const {
  const int rounds = masked_ != computed_ ? 1 : 0;
  builder_.forward("attention dropout")
      .traffic(masked_ + computed_ + scores_ + rounds * 2 * computed_, 1 + rounds)
      .dispatches(1 + rounds)
      .saves({mask_, probabilities_})
      .transient(live + Tensors(rounds * computed_));
}

void ScoreAttention::forward(const Tensors& live) const {
  score(live);
  const Tensors held = live + masked_;
  normalize(held);
  builder_.forward("head-major value")
      .traffic(2 * bytes_)
      .dispatches(kValueOps)
      .saves({value_})
      .transient(held);
  product(builder_.forward("context"), head_dim_, sequence_)
      .dispatches(kProductOps + kOutputOps)
      .transient(held + bytes_);
  builder_.used({probabilities_, softmax_, value_});
}

void ScoreAttention::normalize_backward(const Tensors& live) const {
  const int rounds = masked_ != computed_ ? 1 : 0;
  if (mask_ >= 0) {
    builder_.backward("attention dropout backward")
        .traffic(2 * computed_ + scores_)
        .dispatches(1)
        .drops({mask_})
        .transient(live + Tensors::copies(2, computed_));
  }
  if (fused_) return fused_backward(live);
  builder_.backward("softmax backward")
      .traffic(kSoftmaxBackwardPasses * masked_ + rounds * 2 * (masked_ + computed_),
               1 + 2 * rounds)
      .dispatches(2 + 2 * rounds)
      .drops({softmax_})
      .transient(live + Tensors{masked_, masked_, rounds * computed_});
  builder_.backward("scale scores backward")
      .traffic((causal() ? 4 : 2) * computed_, causal() ? 2 : 1)
      .dispatches(causal() ? 2 : 1)
      .transient(live + Tensors::copies(2, computed_));
}

/// In place of the gradient that it reads.
void ScoreAttention::fused_backward(const Tensors& live) const {
  builder_.backward("scaled, masked softmax backward")
      .traffic(2 * read() + computed_)
      .dispatches(2)
      .drops({softmax_})
      .transient(live + computed_);
}

void ScoreAttention::backward(const Tensors& live) const {
  const std::int64_t q = bytes_;
  product(builder_.backward("value gradient"), head_dim_, sequence_)
      .dispatches(kSplitGradientOps)
      .transient(live + Tensors{q, q});
  product(builder_.backward("probabilities gradient"), sequence_, head_dim_)
      .dispatches(kProductGradientOps)
      .drops({probabilities_, value_})
      .transient(live + Tensors{q, q, computed_});
  const Tensors with_value = live + q;
  normalize_backward(with_value);
  product(builder_.backward("query gradient"), head_dim_, sequence_)
      .dispatches(kProductGradientOps)
      .transient(with_value + Tensors{computed_, q});
  product(builder_.backward("key gradient"), head_dim_, sequence_)
      .dispatches(kSplitGradientOps - 1)
      .drops({query_, key_})
      .transient(with_value + Tensors{computed_, q, q});
}

}  // namespace heddle::model
