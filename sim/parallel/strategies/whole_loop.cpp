#include "sim/parallel/strategies/whole_loop.h"

namespace heddle::parallel {

using schedule::BufferId;
using schedule::MemoryCategory;

namespace {

constexpr std::size_t kFrozen = static_cast<std::size_t>(-1);

}  // namespace

WholeLoop::WholeLoop(const PlanInput& input) : TrainingLoop(input) {
  optimizer_.spec = training().optimizer;
  optimizer_.element_bytes = weight_bytes();
  order_gradients();
  gradients_.resize(sizes_.size());
}

void WholeLoop::order_gradients() {
  for (std::size_t m = 0; m < module_count(); ++m) {
    slot_of_.emplace_back(module(m).params.size(), kFrozen);
  }
  std::vector<ParamRef> tied;  // last, see is_tied()
  for (std::size_t m = module_count(); m-- > 0;) {
    for (const model::Row& row : module(m).backward) {
      for (const int p : row.gradients) {
        const ParamRef ref{m, static_cast<std::size_t>(p)};
        if (is_tied(ref)) {
          tied.push_back(ref);
        } else {
          add_tensor(ref);
        }
      }
    }
  }
  for (const ParamRef ref : tied) add_tensor(ref);
}

void WholeLoop::add_tensor(ParamRef ref) {
  slot_of_[ref.module][ref.index] = sizes_.size();
  sizes_.push_back({param(ref).numel() * weight_bytes()});
  optimizer_.tensors.push_back(optimizer_tensor(param(ref)));
}

void WholeLoop::set_up() {
  for (std::size_t m = 0; m < module_count(); ++m) {
    for (const model::ParamTensor& p : module(m).params) {
      builder().alloc(MemoryCategory::kParameters, {p.numel() * weight_bytes()}, "weight");
    }
  }
}

void WholeLoop::on_gradient(ParamRef ref, BufferId gradient) {
  const std::size_t tensor = slot_of_[ref.module][ref.index];
  Gradient& sum = gradients_[tensor];
  if (sum.exists) {
    accumulate(gradient, sizes_[tensor]);
  } else {
    sum = {gradient, true};
  }
  if (!is_tied(ref)) ready(tensor);
}

void WholeLoop::after_backward(std::size_t m) {
  if (module(m).kind != model::ModuleKind::kEmbedding) return;
  for (std::size_t head = 0; head < module_count(); ++head) {
    for (std::size_t p = 0; p < module(head).params.size(); ++p) {
      const std::size_t tensor = slot_of_[head][p];
      if (tensor != kFrozen && is_tied({head, p})) ready(tensor);
    }
  }
}

void WholeLoop::ready(std::size_t tensor) {
  gradient_ready(tensor);
  if (training().optimizer.in_backward) step_tensor(tensor);
}

void WholeLoop::step_tensor(std::size_t tensor) {
  const OptimizerWork one{{optimizer_.tensors[tensor]}, optimizer_.spec, optimizer_.element_bytes};
  if (first_step_) allocate_optimizer_states(builder(), one);
  emit_optimizer_step(builder(), one);
  drop_storage(tensor);
  gradients_[tensor].exists = false;
}

void WholeLoop::optimizer_step(int step) {
  if (training().optimizer.in_backward) return;
  if (graph().compute.precision == model::Precision::kAutocastFloat16) {
    // GradScaler.unscale_: one pass in place; then .step() reads on the host whether all are
    // finite.
    emit_gradient_scale(builder(), optimizer_);
    builder().host_wait(builder().record(schedule::StreamKind::kCompute));
  }
  if (training().gradient_clipping) {
    emit_gradient_norm(builder(), optimizer_);  // gradients are whole: the local norm is the global
    emit_gradient_scale(builder(), optimizer_);
  }
  if (step == 0) allocate_optimizer_states(builder(), optimizer_);
  emit_optimizer_step(builder(), optimizer_);
}

void WholeLoop::zero_gradients() {
  if (!training().zero_to_none) return emit_gradient_zeros(builder(), optimizer_);
  for (Gradient& gradient : gradients_) {
    builder().free(gradient.storage);
    gradient.exists = false;
  }
}

}  // namespace heddle::parallel
