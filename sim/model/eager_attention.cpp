#include "sim/model/eager_attention.h"

#include "sim/model/softmax_passes.h"

namespace heddle::model {
namespace {

// Derived from torch 2.5.1's matmul of 4-d tensors: expand and view of both, bmm, view.
constexpr int kMatmulOps = 6;
constexpr int kMatmulBackwardOps = 8;  // two bmm, transposes, views
constexpr int kSoftmaxOps = 2;         // with the detach of its saved output
constexpr std::int64_t kCastBytes = 6;

}  // namespace

EagerAttention::EagerAttention(ModuleBuilder& builder, const AttentionShape& shape)
    : builder_(builder),
      shape_(shape),
      scores_(shape.tokens * shape.heads * shape.batch.sequence),
      computed_(scores_ * builder.numerics().compute),
      masked_(scores_ * builder.numerics().stream),
      fp32_(scores_ * 4) {
  softmax_ = builder.saved("softmax fp32", fp32_);
  if (computed_ != fp32_) probabilities_ = builder.saved("probabilities", computed_);
}

RowBuilder EagerAttention::product(RowBuilder row, std::int64_t n, std::int64_t k) const {
  return row.gemm(builder_.numerics().dtype, shape_.batch.sequence, n, k,
                  shape_.batch.micro_batch * shape_.heads);
}

void EagerAttention::score(const Tensors& live, const Heads& heads) const {
  product(builder_.forward("attention scores"), shape_.batch.sequence, shape_.head_dim)
      .dispatches(kMatmulOps + 1)
      .transient(live + computed_);
  builder_.used({heads.query, heads.key});
  builder_.forward("scale scores")
      .traffic(2 * computed_)
      .dispatches(1)
      .transient(live + Tensors::copies(2, computed_));
  builder_.forward("mask scores")
      .traffic(computed_ + masked_)
      .dispatches(2)
      .transient(live + Tensors{computed_, masked_});
}

void EagerAttention::normalize(const Tensors& live) const {
  const bool upcasts = masked_ != fp32_;
  if (upcasts) {
    builder_.forward("upcast scores")
        .traffic(scores_ * kCastBytes)
        .dispatches(1)
        .transient(live + Tensors{masked_, fp32_});
  }
  builder_.forward("softmax")
      .traffic(kSoftmaxPasses * fp32_)
      .dispatches(kSoftmaxOps)
      .saves({softmax_})
      .transient(live + Tensors{masked_, upcasts ? fp32_ : 0});
  if (!rounds()) return;
  builder_.forward("round probabilities")
      .traffic(scores_ * kCastBytes)
      .dispatches(1)
      .saves({probabilities_})
      .transient(live + masked_);
  builder_.used({softmax_});
}

void EagerAttention::forward(const Tensors& live, const Heads& heads) const {
  score(live, heads);
  normalize(live);
  product(builder_.forward("context"), shape_.head_dim, shape_.batch.sequence)
      .dispatches(kMatmulOps + 2)
      .transient(live + shape_.q_bytes);
  builder_.used({rounds() ? probabilities_ : softmax_, heads.value});
}

void EagerAttention::normalize_backward(const Tensors& live) const {
  if (rounds()) {
    builder_.backward("round probabilities backward")
        .traffic(scores_ * kCastBytes)
        .dispatches(1)
        .transient(live + Tensors{computed_, fp32_});
  }
  builder_.backward("softmax backward")
      .traffic(kSoftmaxBackwardPasses * fp32_)
      .dispatches(2)
      .drops({softmax_})
      .transient(live + Tensors::copies(2, fp32_));
  if (!rounds()) return;
  builder_.backward("upcast scores backward")
      .traffic(scores_ * kCastBytes)
      .dispatches(1)
      .transient(live + Tensors{fp32_, computed_});
}

void EagerAttention::backward(const Tensors& live, const Heads& heads) const {
  const std::int64_t q = shape_.q_bytes;
  product(builder_.backward("probabilities gradient"), shape_.batch.sequence, shape_.head_dim)
      .dispatches(kMatmulBackwardOps / 2)
      .transient(live + Tensors{q, computed_});
  product(builder_.backward("value gradient"), shape_.head_dim, shape_.batch.sequence)
      .dispatches(kMatmulBackwardOps / 2)
      .drops({probabilities_, heads.value})
      .transient(live + Tensors{q, computed_, q});
  const Tensors with_value = live + q;
  normalize_backward(with_value);
  builder_.backward("scale scores backward")
      .traffic(2 * computed_)
      .dispatches(1)
      .transient(with_value + Tensors::copies(2, computed_));
  product(builder_.backward("query gradient"), shape_.head_dim, shape_.batch.sequence)
      .dispatches(kMatmulBackwardOps / 2)
      .transient(with_value + Tensors{computed_, q});
  product(builder_.backward("key gradient"), shape_.head_dim, shape_.batch.sequence)
      .dispatches(kMatmulBackwardOps / 2)
      .drops({heads.query, heads.key})
      .transient(with_value + Tensors{computed_, q, q});
}

std::int64_t eager_mask_bytes(const BatchShape& batch, const Numerics& numerics) {
  return batch.micro_batch * batch.sequence * batch.sequence * numerics.stream;
}

}  // namespace heddle::model
