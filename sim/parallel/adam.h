#pragma once
// One step of Adam/AdamW on local tensors, as torch.optim implements it (torch/optim/adamw.py).
//
// foreach: eight multi-tensor passes over p, g, m, v and one temporary list (the square root of v):
//   p*=1-lr*wd (rw), m lerp g (rrw), v*=b2 (rw), v+=g*g (rrw), t=sqrt(v) (rw), t/=c (rw),
//   t+=eps (rw), p-=m/t (rrrw)  ->  20 element accesses, 40 bytes per bf16 or 80 per fp32 element
// fused:   one pass, reads p g m v and writes p m v -> 7 accesses, no temporary
// for-loop: the foreach passes tensor by tensor, one tensor's temporary at a time

#include <cstdint>
#include <vector>

#include "sim/model/gpu.h"
#include "sim/parallel/training_spec.h"
#include "sim/schedule/schedule_builder.h"

namespace heddle::parallel {

/// What one rank updates: `tensor_bytes` are the local tensors in their own dtype (moments match).
struct AdamWork {
  std::vector<Bytes> tensor_bytes;
  OptimizerKernel kernel = OptimizerKernel::kForeach;
  std::int64_t element_bytes = 4;
  Bytes total() const;
};

/// Two moments per tensor, lazily at the first step (zero-filled) or wherever the dialect makes
/// them.
void allocate_adam_states(schedule::ScheduleBuilder& builder, const AdamWork& work);

void emit_adam_step(schedule::ScheduleBuilder& builder, const AdamWork& work);

/// torch.nn.utils.clip_grad_norm_, foreach, on gradients as large as the tensors: the local norm,
/// then, once it is known globally, the scaling pass.
void emit_gradient_norm(schedule::ScheduleBuilder& builder, const AdamWork& work);
void emit_gradient_scale(schedule::ScheduleBuilder& builder, const AdamWork& work);

}  // namespace heddle::parallel
