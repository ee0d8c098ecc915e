#pragma once
// The part of a training step that every data-parallel framework shares: for each micro-batch walk
// the modules forward, then backward, allocate what each row saves, free what it drops, hand each
// finished gradient over; then step the optimizer, read the loss. Dialects fill in the hooks; they
// own parameters, gradients, optimizer states and every collective.

#include <string_view>
#include <vector>

#include "sim/model/numerics.h"
#include "sim/parallel/strategy.h"
#include "sim/schedule/schedule_builder.h"

namespace heddle::parallel {

/// A parameter tensor: module index, index in Module::params.
struct ParamRef {
  std::size_t module = 0;
  std::size_t index = 0;
};

class TrainingLoop {
 public:
  explicit TrainingLoop(const PlanInput& input)
      : TrainingLoop(input, {schedule::world_communicator(input.ranks)}) {}
  TrainingLoop(const PlanInput& input, std::vector<schedule::Communicator> communicators);
  virtual ~TrainingLoop() = default;
  TrainingLoop(const TrainingLoop&) = delete;
  TrainingLoop& operator=(const TrainingLoop&) = delete;

  /// Emits set-up and all steps. Once.
  schedule::Schedule build();

 protected:
  // Hooks, in the order they are called. `module` indexes graph().modules.
  virtual void set_up() = 0;
  virtual void begin_step(int /*step*/) {}
  // Once per micro-batch, from here to finish_backward().
  virtual void begin_forward() {}
  virtual void before_forward(std::size_t /*module*/) {}
  virtual void before_row(std::size_t /*module*/, const model::Row& /*row*/) {}
  virtual void after_row(std::size_t /*module*/, const model::Row& /*row*/) {}
  virtual void after_forward(std::size_t /*module*/) {}
  virtual void begin_backward() {}
  virtual void before_backward(std::size_t /*module*/) {}
  /// Takes over the buffer, already filled on the compute stream, in every micro-batch: autograd
  /// makes each gradient anew and adds it to one that is there (accumulate()).
  virtual void on_gradient(ParamRef param, schedule::BufferId gradient) = 0;
  virtual void after_backward(std::size_t /*module*/) {}
  virtual void finish_backward() {}
  virtual void optimizer_step(int step) = 0;
  virtual void zero_gradients() {}
  /// Weights reach the rows in the compute dtype already (FSDP with mixed precision).
  virtual bool weights_arrive_cast() const { return false; }
  /// Bytes of one element of a gradient as backward makes it.
  virtual std::int64_t gradient_bytes() const { return weight_bytes_; }

  const model::ModelGraph& graph() const { return input_.graph; }
  const model::Module& module(std::size_t index) const { return input_.graph.modules[index]; }
  const model::ParamTensor& param(ParamRef ref) const {
    return module(ref.module).params[ref.index];
  }
  /// The table that the head shares with the embedding: its gradient is whole only after the
  /// embedding's backward, which adds to it.
  bool is_tied(ParamRef ref) const;
  const TrainingSpec& training() const { return input_.training; }
  int ranks() const { return input_.ranks; }
  /// Of the step under way.
  bool first_micro_batch() const { return micro_batch_ == 0; }
  bool last_micro_batch() const { return micro_batch_ + 1 == training().accumulation; }
  schedule::ScheduleBuilder& builder() { return builder_; }
  std::size_t module_count() const { return input_.graph.modules.size(); }

  /// Of matrix products, and of collectives of 16-bit weights and gradients.
  schedule::DType low_dtype() const { return model::product_dtype(graph().compute.precision); }
  bool scales_loss() const { return graph().compute.precision == model::Precision::kFloat16; }
  /// Bytes of one element of a weight as the model holds it.
  std::int64_t weight_bytes() const { return weight_bytes_; }
  /// Interpreters run the collectives of a communicator in the order issued, as PyTorch's one NCCL
  /// stream per communicator does. Returns the event of completion; groups of one rank issue
  /// nothing.
  schedule::EventId collective(const schedule::Collective& call, schedule::StreamKind stream,
                               std::string_view name);
  /// On the communicator of all ranks.
  schedule::EventId collective(schedule::CollectiveKind kind, Bytes bytes, schedule::DType dtype,
                               schedule::StreamKind stream, std::string_view name) {
    return collective({kind, builder_.world(), bytes, dtype}, stream, name);
  }
  /// The ranks of the communicator agree on a number that the compute stream made (a norm, a flag)
  /// and that it waits for.
  void all_reduce_scalar(schedule::CommunicatorId communicator, std::string_view name);
  /// sum += gradient, in place, and the gradient goes; both have `bytes`.
  void accumulate(schedule::BufferId& gradient, Bytes bytes,
                  schedule::StreamKind stream = schedule::StreamKind::kCompute);
  /// Everything issued to `from` so far happens before what `to` gets next.
  void order(schedule::StreamKind from, schedule::StreamKind to);

 private:
  void step(int index);
  void micro_batch(int step);
  void forward(std::size_t module);
  void backward(std::size_t module);
  void run_row(std::size_t module, const model::Row& row);
  std::vector<schedule::BufferId> take_outputs();  // of the micro-batch before, if still held
  void release(std::vector<schedule::BufferId>& buffers);
  bool loss_inside() const;
  void free_held(model::Held held);  // all saved tensors of that kind that are still there
  void ensure_workspace(schedule::BufferId& workspace);
  void end_step(int index);

  PlanInput input_;
  schedule::ScheduleBuilder builder_;
  std::int64_t weight_bytes_;
  std::int64_t micro_batch_ = 0;
  std::vector<std::vector<schedule::BufferId>> saved_;  // by module, by saved tensor
  schedule::BufferId batch_;
  schedule::BufferId outputs_;
  schedule::BufferId forward_workspace_;   // cuBLAS keeps one per thread's handle, and
  schedule::BufferId backward_workspace_;  // autograd runs backward on another thread
};

}  // namespace heddle::parallel
