#pragma once
// Cross-entropy that upcasts logits inside the loss, in n pieces of positions one after the other
// (torchtune's CEWithChunkedOutputLoss; n = 1: transformers from 4.47 on, torchtitan of 2024). The
// labels are shifted, not the logits. Bytes per logit element in bf16 alive at the start of
// backward:
//
//   4 (log-softmax of every piece, saved) + 8/n (two gradients of one piece)
//   + 2 (logits, if the script keeps them)                         n = 1: 14, or 12 without
//
// Compiled (torchtune compiles it with the model): log-softmax is recomputed from the logits, which
// then stay: 2 (logits) + 8/n. (One piece is not compiled here: LossHead::kCompiled is.)
//
// All pieces pass through the loss' backward before the head's: their gradients in the compute
// type, 2 per element, pile up while log-softmaxes go.

#include "sim/model/module_builder.h"

namespace heddle::model {

/// `pieces` >= 1. torch.chunk: all as long as the first, rounded up, but the last.
Module build_chunked_loss(const ModelSpec& spec, const BatchShape& batch,
                          const ComputeOptions& options, std::int64_t pieces);

}  // namespace heddle::model
