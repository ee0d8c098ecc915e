#include "sim/parallel/training_loop.h"

#include <utility>
#include <vector>

#include "sim/base/check.h"
#include "sim/parallel/memory_kernels.h"

namespace heddle::parallel {

using schedule::BufferId;
using schedule::EventId;
using schedule::Mark;
using schedule::MemoryCategory;
using schedule::Phase;
using schedule::StreamKind;

namespace {

Phase forward_phase(const model::Module& module) {
  return module.kind == model::ModuleKind::kLoss ? Phase::kLoss : Phase::kForward;
}

}  // namespace

TrainingLoop::TrainingLoop(const PlanInput& input,
                           std::vector<schedule::Communicator> communicators)
    : input_(input),
      builder_(std::move(communicators)),
      weight_bytes_(model::weight_bytes(input.graph.compute.precision)) {
  for (const model::Module& m : graph().modules) saved_.emplace_back(m.saved.size());
}

schedule::Schedule TrainingLoop::build() {
  builder_.at(Phase::kInit);
  set_up();
  for (int s = 0; s < training().steps; ++s) step(s);
  return builder_.finish(training().steps);
}

void TrainingLoop::step(int index) {
  builder_.at(Phase::kForward);
  builder_.mark(Mark::Kind::kStepBegin, index);
  for (micro_batch_ = 0; micro_batch_ < training().accumulation; ++micro_batch_) {
    builder_.free(batch_);
    builder_.at(Phase::kForward);
    micro_batch(index);
  }
  --micro_batch_;
  builder_.at(Phase::kOptimizer);
  optimizer_step(index);
  end_step(index);
}

void TrainingLoop::micro_batch(int step) {
  std::vector<BufferId> outputs_before = take_outputs();
  batch_ = builder_.alloc(MemoryCategory::kFramework, graph().input_bytes, "input batch");
  if (first_micro_batch()) begin_step(step);
  begin_forward();
  for (std::size_t m = 0; m < module_count(); ++m) {
    if (module(m).kind == model::ModuleKind::kLoss && !loss_inside()) release(outputs_before);
    forward(m);
  }
  free_held(model::Held::kForward);
  release(outputs_before);
  if (!training().keep_outputs) free_held(model::Held::kOutput);
  builder_.at(Phase::kBackward);
  begin_backward();
  for (std::size_t m = module_count(); m-- > 0;) backward(m);
  builder_.at(Phase::kReduction);
  finish_backward();
}

void TrainingLoop::end_step(int index) {
  builder_.mark(Mark::Kind::kAfterOptimizer, index);
  builder_.at(Phase::kStepEnd);
  zero_gradients();
  builder_.free(batch_);
  if (training().sync_each_step) builder_.host_wait(builder_.record(StreamKind::kCompute));
  builder_.mark(Mark::Kind::kStepEnd, index);
}

void TrainingLoop::release(std::vector<BufferId>& buffers) {
  for (BufferId& buffer : buffers) builder_.free(buffer);
}

/// Whether the model's call returns the loss, too, as transformers' do.
bool TrainingLoop::loss_inside() const {
  const model::LossHead loss = graph().compute.loss;
  return loss == model::LossHead::kReturned || loss == model::LossHead::kFused;
}

/// `outputs = model(batch)` binds the name anew only when the call returns: until then the script
/// holds what the call before returned.
std::vector<BufferId> TrainingLoop::take_outputs() {
  std::vector<BufferId> taken{std::exchange(outputs_, {})};
  for (std::size_t m = 0; m < module_count(); ++m) {
    for (std::size_t s = 0; s < saved_[m].size(); ++s) {
      if (module(m).saved[s].held != model::Held::kOutput) continue;
      taken.push_back(std::exchange(saved_[m][s], {}));
    }
  }
  return taken;
}

void TrainingLoop::free_held(model::Held held) {
  for (std::size_t m = 0; m < module_count(); ++m) {
    for (std::size_t s = 0; s < saved_[m].size(); ++s) {
      if (module(m).saved[s].held == held) builder_.free(saved_[m][s]);
    }
  }
}

void TrainingLoop::ensure_workspace(BufferId& workspace) {
  if (workspace.valid()) return;
  workspace = builder_.alloc(MemoryCategory::kWorkspace, input_.workspace, "cuBLAS workspace");
}

void TrainingLoop::forward(std::size_t index) {
  const model::Module& m = module(index);
  builder_.at(forward_phase(m), m.layer);
  before_forward(index);
  for (const model::Row& row : m.forward) run_row(index, row);
  if (m.kind == model::ModuleKind::kLoss && training().keep_outputs) {
    outputs_ = builder_.alloc(MemoryCategory::kFramework, graph().output_bytes, "model outputs");
  }
  after_forward(index);
}

void TrainingLoop::backward(std::size_t index) {
  const model::Module& m = module(index);
  builder_.at(Phase::kBackward, m.layer);
  before_backward(index);
  for (const model::Row& row : m.backward) run_row(index, row);
  for (std::size_t s = 0; s < saved_[index].size(); ++s) {
    HEDDLE_CHECK(!saved_[index][s].valid() || m.saved[s].held == model::Held::kOutput,
                 "module " + m.name + " keeps a saved tensor past its backward");
  }
  after_backward(index);
}

void TrainingLoop::run_row(std::size_t index, const model::Row& row) {
  if (row.weight_cast && weights_arrive_cast()) return;
  const model::Module& m = module(index);
  const bool is_backward = builder_.phase() == Phase::kBackward;
  before_row(index, row);
  if (row.kernel.kind == schedule::KernelKind::kGemm) {
    ensure_workspace(is_backward ? backward_workspace_ : forward_workspace_);
  }
  for (const int s : row.saves) {
    const auto slot = static_cast<std::size_t>(s);
    HEDDLE_CHECK(!saved_[index][slot].valid(), m.saved[slot].name + " is made while it is there");
    saved_[index][slot] =
        builder_.alloc(MemoryCategory::kActivations, m.saved[slot].bytes, m.saved[slot].name);
  }
  std::vector<BufferId> gradients;
  for (const int g : row.gradients) {
    const ParamRef ref{index, static_cast<std::size_t>(g)};
    HEDDLE_CHECK(param(ref).trainable, "a row makes a gradient for a frozen parameter");
    gradients.push_back(builder_.alloc(MemoryCategory::kGradients,
                                       {param(ref).numel() * gradient_bytes()}, param(ref).name));
  }
  std::vector<BufferId> transients;
  for (const Bytes& bytes : row.transients) {
    transients.push_back(builder_.alloc(MemoryCategory::kTemporary, bytes, row.name));
  }
  builder_.compute(row.kernel, row.dispatches, row.name);
  for (BufferId& transient : transients) builder_.free(transient);
  for (const int s : row.drops) builder_.free(saved_[index][static_cast<std::size_t>(s)]);
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    on_gradient({index, static_cast<std::size_t>(row.gradients[i])}, gradients[i]);
  }
  after_row(index, row);
}

bool TrainingLoop::is_tied(ParamRef ref) const {
  return graph().spec.tied_embeddings && module(ref.module).kind == model::ModuleKind::kHead &&
         param(ref).linear_weight;
}

EventId TrainingLoop::collective(const schedule::Collective& call, StreamKind stream,
                                 std::string_view name) {
  if (builder_.communicator(call.communicator).size() == 1) return {};
  builder_.collective(call, 1, name, stream);
  return builder_.record(stream);
}

void TrainingLoop::all_reduce_scalar(schedule::CommunicatorId communicator, std::string_view name) {
  order(StreamKind::kCompute, StreamKind::kReduce);
  builder_.wait(
      StreamKind::kCompute,
      collective(
          {schedule::CollectiveKind::kAllReduce, communicator, {4}, schedule::DType::kFloat32},
          StreamKind::kReduce, name));
}

void TrainingLoop::accumulate(BufferId& gradient, Bytes bytes, StreamKind stream) {
  builder_.compute(memory_kernel(bytes * 3), 1, "accumulate gradient", stream);
  builder_.free(gradient);
}

void TrainingLoop::order(StreamKind from, StreamKind to) {
  builder_.wait(to, builder_.record(from));
}

}  // namespace heddle::parallel
