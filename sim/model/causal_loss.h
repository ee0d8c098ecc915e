#pragma once
// Next-token cross-entropy and what the script holds of its logits, by LossHead. Returned, as
// transformers 4.46 computes it: logits upcast to fp32 and returned, their shifted copy,
// log-softmax, negative log-likelihood. Bytes per logit element alive:
//
//   forward   2 + 4, 4 + 4, 4 + 4 + 4     the returned logits are among them
//   backward  4 (log-softmax, saved) + 4 (its gradient) + 4 (the shifted copy's gradient)
//             + 4 returned logits, if the script keeps them (ModelGraph::output_bytes) = 16
//
// Kept, dropped, chunked: chunked_loss.h. Compiled: compiled_loss.h. Fused: fused_loss.h.

#include "sim/model/model_graph.h"
#include "sim/model/numerics.h"

namespace heddle::model {

/// Bytes per returned logit: 4, or the head's own type where the model does not upcast. (Under
/// autocast the loss upcasts them; they are counted as if the model did.)
std::int64_t logit_element(const ModelSpec& spec, const Numerics& numerics);

Module build_causal_loss(const ModelSpec& spec, const BatchShape& batch,
                         const ComputeOptions& options);

/// Bytes of the logits as the script holds them after the loss; 0 where it does not.
Bytes causal_output_bytes(const ModelSpec& spec, const BatchShape& batch,
                          const ComputeOptions& options);

}  // namespace heddle::model
