#pragma once
// One optimizer step on local tensors: states at the first step, temporaries, HBM traffic,
// launches. The rules of each kind and their sources are in optimizer_rules.h; nothing here knows a
// kind.

#include <cstdint>
#include <string>
#include <vector>

#include "sim/model/gpu.h"
#include "sim/model/model_graph.h"
#include "sim/parallel/training_spec.h"
#include "sim/schedule/schedule_builder.h"

namespace heddle::parallel {

/// A tensor that this rank steps: whole, or its own shard of one.
struct OptimizerTensor {
  std::int64_t elements = 0;
  std::int64_t columns = 0;  // last dimension of a matrix; 0: a vector, as every flat shard is

  friend bool operator==(const OptimizerTensor&, const OptimizerTensor&) = default;
};

/// The tensor as the model holds it, not sharded.
OptimizerTensor optimizer_tensor(const model::ParamTensor& param);

/// What one rank updates: trainable tensors only. Weights and gradients share `element_bytes`.
struct OptimizerWork {
  std::vector<OptimizerTensor> tensors;
  OptimizerSpec spec;
  std::int64_t element_bytes = 4;
  std::int64_t elements() const;
  Bytes bytes() const;  // of the tensors
};

/// Why no dialect models that optimizer, or "": combinations that do not exist are refused here.
std::string optimizer_problem(const OptimizerSpec& spec);

/// The states, filled with zeros: at the first step (torch), or wherever the dialect makes them.
void allocate_optimizer_states(schedule::ScheduleBuilder& builder, const OptimizerWork& work,
                               schedule::StreamKind stream = schedule::StreamKind::kCompute);

/// The step itself; its temporaries come and go in it. With optimizer-in-backward, call it with one
/// tensor at a time. Work and memory are the stream's.
void emit_optimizer_step(schedule::ScheduleBuilder& builder, const OptimizerWork& work,
                         schedule::StreamKind stream = schedule::StreamKind::kCompute);

/// torch.nn.utils.clip_grad_norm_, foreach, on gradients as large as the tensors: the local norm,
/// then, once it is known globally, the scaling pass.
void emit_gradient_norm(schedule::ScheduleBuilder& builder, const OptimizerWork& work);
void emit_gradient_scale(schedule::ScheduleBuilder& builder, const OptimizerWork& work);

/// zero_grad(set_to_none=False): gradients stay and are filled with zeros.
void emit_gradient_zeros(schedule::ScheduleBuilder& builder, const OptimizerWork& work);

}  // namespace heddle::parallel
