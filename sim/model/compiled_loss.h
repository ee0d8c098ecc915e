#pragma once
// Cross-entropy through torch.compile (torchtitan of 2025): two kernels each way, fp32 in registers
// only. Backward keeps the logits as the head made them and maximum and sum of each row; their
// gradient has the same type: 2 + 2 bytes per logit element in bf16 at the start of backward. The
// script lets its own reference go.

#include "sim/model/module_builder.h"

namespace heddle::model {

Module build_compiled_loss(const ModelSpec& spec, const BatchShape& batch,
                           const ComputeOptions& options);

}  // namespace heddle::model
