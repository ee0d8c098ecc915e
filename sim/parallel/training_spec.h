#pragma once
// How one training step is run, apart from the strategy. Defaults are the frameworks' own.

#include <optional>
#include <string>

namespace heddle::parallel {

/// Which implementation of Adam/AdamW steps. foreach makes a temporary the size of the local
/// parameters (the square root of v); fused makes none; for-loop one tensor's worth.
enum class OptimizerKernel { kForeach, kFused, kForLoop };

struct TrainingSpec {
  OptimizerKernel optimizer_kernel = OptimizerKernel::kForeach;
  bool gradient_clipping = false;  // global norm
  bool keep_outputs = true;        // the script holds `outputs` (logits) through the step
  bool sync_each_step = true;      // loss.item() or a logger reads the loss every step
  int steps = 2;                   // simulated; step 0 warms up (lazy states), the last is reported
};

}  // namespace heddle::parallel
