#pragma once
// A rank that holds everything whole: weights, gradients and moments (one GPU, PyTorch DDP).
// Autograd adds later micro-batches' gradients into the first's; zero_grad drops gradients or
// fills them with zeros; the optimizer steps at the end or tensor by tensor in backward.

#include <vector>

#include "sim/parallel/optimizer.h"
#include "sim/parallel/training_loop.h"

namespace heddle::parallel {

class WholeLoop : public TrainingLoop {
 public:
  explicit WholeLoop(const PlanInput& input);

 protected:
  void set_up() override;
  void on_gradient(ParamRef ref, schedule::BufferId gradient) override;
  void after_backward(std::size_t module) override;
  void optimizer_step(int step) override;
  void zero_gradients() override;
  void begin_step(int step) override { first_step_ = step == 0; }

  /// The gradient of a trainable tensor holds all of this micro-batch. Index in ready order.
  virtual void gradient_ready(std::size_t /*tensor*/) {}
  /// Someone else holds the gradient now (a bucket it is a view into): its own memory goes.
  void drop_storage(std::size_t tensor) { builder().free(gradients_[tensor].storage); }

  /// Gradient bytes in the order in which backward makes them ready.
  const std::vector<Bytes>& sizes() const { return sizes_; }

 private:
  struct Gradient {
    schedule::BufferId storage;
    bool exists = false;  // `.grad` is not None
  };

  void order_gradients();
  void add_tensor(ParamRef ref);
  void ready(std::size_t tensor);
  void step_tensor(std::size_t tensor);

  std::vector<std::vector<std::size_t>> slot_of_;  // by module, by param: index in ready order
  std::vector<Bytes> sizes_;
  std::vector<Gradient> gradients_;
  OptimizerWork optimizer_;
  bool first_step_ = true;
};

}  // namespace heddle::parallel
