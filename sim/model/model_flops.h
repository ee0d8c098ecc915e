#pragma once
// Model FLOPs of one micro-batch, forward plus backward: the numerator of MFU.
//
//   6 x (weights of matrix products) x (rows they are applied to) + attention
//   attention = 3 x 4 b s^2 a L, halved when causal        (b sequences of s, a = heads x head_dim)
//
// A frozen weight counts 4, as nobody wants its gradient; LoRA's adapters count 6.
// Embedding lookups, norms and anything recomputed do not count (PaLM, arXiv 2204.02311, app. B;
// its attention term is not halved, ours is, as FlashAttention-2's benchmarks do).

#include "sim/base/units.h"
#include "sim/model/model_graph.h"

namespace heddle::model {

Flops model_flops(const ModelSpec& spec, const BatchShape& batch, const LoraOptions& lora = {});

}  // namespace heddle::model
