#pragma once
// Head and cross-entropy in one (Liger's fused linear cross-entropy): the logits exist one piece of
// positions at a time, and forward makes the gradients already.
//
//   pieces: of 2^ceil(log2(T / ceil(V / h))) positions, so that a piece has about T h elements
//   alive per piece: its logits in the compute type and in fp32
//   kept until backward: the gradient of the head's input (T h) and of its weight (V h; not where
//   the weight is frozen), both in the weight's type
//
// The head's module holds all of it; the loss module is the mean.

#include "sim/model/module_builder.h"

namespace heddle::model {

Module build_fused_head(const ModelSpec& spec, const BatchShape& batch,
                        const ComputeOptions& options);
Module build_fused_loss(const BatchShape& batch, const ComputeOptions& options);

/// Positions of a piece.
std::int64_t fused_loss_piece(std::int64_t positions, std::int64_t vocab, std::int64_t hidden);

}  // namespace heddle::model
