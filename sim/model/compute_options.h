#pragma once
// How a script runs the model: everything besides the model and the batch that decides which
// tensors exist and for how long. Defaults are transformers 4.46 in eager mode.

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::model {

enum class Precision {
  kBFloat16,         // weights and compute in bf16
  kAutocast,         // fp32 weights, bf16 matrix products
  kFloat32,          // fp32 throughout
  kAutocastFloat16,  // fp32 weights, fp16 matrix products, loss scaled (torch.amp.GradScaler)
  kFloat16,          // weights and compute in fp16, fp32 master weights, loss scaled (DeepSpeed)
};

/// How Transformer Engine scales the fp8 operands of a layer's linears, over bf16 weights.
enum class Float8 {
  kNone,
  kDelayed,  // by the largest value of earlier steps: one pass casts and transposes
  kCurrent,  // by the tensor's own largest value: a pass over it first
  kBlock,    // MXFP8: by blocks of 32 values along both directions, with a scale each
};

enum class Attention {
  kEager,    // scores, softmax and its dropout are tensors of heads x s x s
  kSdpa,     // fused kernel; grouped key/value heads are repeated to all heads before it
  kGrouped,  // fused kernel that takes grouped heads as they are (FlashAttention 2, enable_gqa)
};

/// What backward recomputes instead of keeping.
enum class Checkpointing {
  kNone,
  kFull,       // each layer keeps its input only
  kSelective,  // torchtitan's per-operator policy: every second matrix product's output,
               // attention's output and the layer's input stay
  kEvery,      // of every `checkpoint_every` layers the first keeps its input only
};

/// Head and loss; bytes alive per logit element at the start of backward in brackets.
enum class LossHead {
  kReturned,  // fp32 logits returned and shifted, as transformers 4.46 does [16]
  kKept,      // compute-dtype logits kept by the caller, upcast inside the loss [14]
  kDropped,   // as kept, but the caller drops them before backward [12]
  kCompiled,  // loss compiled: no copies [4 to 6]
  kChunked,   // loss_chunks pieces, one after the other
  kFused,     // linear and cross-entropy fused: no logits
};

struct LoraOptions {
  std::int64_t rank = 0;             // 0: none
  std::vector<std::string> targets;  // linear layers by the last part of their path: "q_proj"

  friend bool operator==(const LoraOptions&, const LoraOptions&) = default;
};

struct ComputeOptions {
  Precision precision = Precision::kBFloat16;
  Float8 fp8 = Float8::kNone;
  Attention attention = Attention::kSdpa;
  Checkpointing checkpointing = Checkpointing::kNone;
  std::int64_t checkpoint_every = 2;  // of kEvery
  LossHead loss = LossHead::kReturned;
  std::int64_t loss_chunks = 8;  // of kChunked
  bool compiled = false;         // torch.compile of each layer
  bool fused_norm = false;     // Liger, Apex or Transformer Engine: the input is all that is saved
  bool fused_mlp = false;      // fused SwiGLU (xFormers, Unsloth): the product is recomputed
  bool fused_softmax = false;  // Megatron's: eager attention scales, masks and normalizes at once
  bool kv_cache = false;       // use_cache left on: keys and values stay through forward
  LoraOptions lora = {};

  friend bool operator==(const ComputeOptions&, const ComputeOptions&) = default;
};

}  // namespace heddle::model
