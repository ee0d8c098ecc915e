// One GPU without a wrapper: weights, gradients and moments whole, no bucket, no collective.
// Optimizer-in-backward (torchtune optimizer_in_bwd, register_post_accumulate_grad_hook): each
// gradient is dropped right after its tensor's step; a tied table's at the end of backward.

#include "sim/parallel/strategies/all.h"
#include "sim/parallel/strategies/whole_loop.h"
#include "sim/parallel/training_support.h"

namespace heddle::parallel {
namespace {

class Single final : public Strategy {
 public:
  std::string refusal(const PlanInput& input) const override {
    if (input.ranks > 1) return "it runs on one GPU; take ddp or fsdp for more";
    const std::string problem = without_masters(input.graph.compute.precision);
    if (!problem.empty()) return problem;
    return unsupported(input.training,
                       {.every_optimizer = true,
                        .in_backward = true,
                        .accumulation = true,
                        .keeps_gradients = true},
                       "one GPU");
  }
  schedule::Schedule plan(const PlanInput& input) const override {
    return WholeLoop(input).build();
  }
};

}  // namespace

std::unique_ptr<Strategy> make_single(std::string_view) {
  return std::make_unique<Single>();
}

}  // namespace heddle::parallel
