#include "sim/model/flash_attention.h"

namespace heddle::model {
namespace {

// Operators counted with torch 2.5.1 (README): detach, transpose, view; the copy is a row of its
// own.
constexpr int kOps = 4;
constexpr int kBackwardOps = 4;
constexpr int kBackwardKernels = 3;  // dO.O, the main kernel, dQ's rounding
constexpr int kGroupSums = 2;        // dK and dV over the heads of a group

}  // namespace

FlashAttention::FlashAttention(ModuleBuilder& builder, const AttentionShape& shape,
                               std::int64_t kv_bytes)
    : builder_(builder),
      shape_(shape),
      kv_bytes_(kv_bytes),
      output_(builder.saved("attention output", shape.q_bytes, builder.listed())),
      log_sum_exp_(builder.saved("log-sum-exp", shape.tokens * shape.heads * 4, builder.listed())) {
}

schedule::Kernel FlashAttention::kernel(bool backward) const {
  const auto s = static_cast<double>(shape_.batch.sequence);
  const auto heads = static_cast<double>(shape_.batch.micro_batch * shape_.heads);
  schedule::Kernel kernel;
  kernel.kind = schedule::KernelKind::kAttention;
  kernel.dtype = builder_.numerics().dtype;
  kernel.backward = backward;
  kernel.causal = true;
  kernel.batch = shape_.batch.micro_batch * shape_.heads;
  kernel.m = shape_.batch.sequence;
  kernel.n = shape_.batch.sequence;
  kernel.k = shape_.head_dim;
  // Two products of 2 s^2 d each, half of it masked; backward has five (one recomputed).
  kernel.flops = {heads * s * s * static_cast<double>(shape_.head_dim) * (backward ? 5.0 : 2.0)};
  const std::int64_t once = 2 * (shape_.q_bytes + kv_bytes_);
  kernel.bytes = {backward ? 2 * once : once};
  kernel.launches = backward ? kBackwardKernels : 1;
  if (backward && kv_bytes_ != shape_.q_bytes) {
    kernel.launches += kGroupSums;
    kernel.bytes.value += 2 * 2 * shape_.q_bytes;  // written, then read by the sums
  }
  return kernel;
}

void FlashAttention::forward(const Tensors& live, const Heads& heads) const {
  builder_.forward("attention")
      .attention(kernel(false))
      .dispatches(kOps)
      .saves({output_, log_sum_exp_})
      .transient(live);
  builder_.used({heads.query, heads.key, heads.value});
}

void FlashAttention::backward(const Tensors& live, const Heads& heads) const {
  // dO, dQ, dK, dV of all heads, an fp32 accumulator for dQ and dO.O per row; grouped: the sums
  // too.
  const std::int64_t accumulator = shape_.tokens * shape_.heads * shape_.head_dim * 4;
  const std::int64_t row_sums = shape_.tokens * shape_.heads * 4;
  const bool grouped = kv_bytes_ != shape_.q_bytes;
  builder_.backward("attention backward")
      .attention(kernel(true))
      .dispatches(kBackwardOps + (grouped ? kGroupSums : 0))
      .drops({heads.query, heads.key, heads.value, output_, log_sum_exp_})
      .transient(live + Tensors::copies(4, shape_.q_bytes) + accumulator + row_sums +
                 Tensors::copies(grouped ? 2 : 0, kv_bytes_));
}

}  // namespace heddle::model
