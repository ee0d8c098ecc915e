#pragma once
// How one training step is run, apart from the strategy. Defaults are the frameworks' own.

#include <cstdint>

namespace heddle::parallel {

enum class OptimizerKind {
  kAdamW,           // two moments
  kSgd,             // none
  kMomentum,        // SGD with one
  kAdafactor,       // row and column sums, no first moment
  kAdamW8bit,       // bitsandbytes: moments in 8 bits with block scales
  kPagedAdamW8bit,  // the same in unified memory: on the GPU only while touched
};

/// Which implementation of the optimizer steps. foreach makes a temporary the size of the local
/// parameters (AdamW: the square root of v); fused makes none; for-loop one tensor's worth.
enum class OptimizerKernel { kForeach, kFused, kForLoop };

/// Element type of the moments.
enum class StateType { kAsWeights, kFloat32, kBFloat16 };

struct OptimizerSpec {
  OptimizerKind kind = OptimizerKind::kAdamW;
  OptimizerKernel kernel = OptimizerKernel::kForeach;
  StateType states = StateType::kAsWeights;
  bool in_backward = false;  // each tensor is stepped, and its gradient dropped, as it is ready
  bool capturable = false;   // step counts and corrections are tensors on the GPU

  friend bool operator==(const OptimizerSpec&, const OptimizerSpec&) = default;
};

/// What lives in host memory.
struct OffloadSpec {
  bool optimizer = false;    // states and master weights, and the step itself
  bool parameters = false;   // shards between uses
  bool activations = false;  // saved tensors between forward and backward

  friend bool operator==(const OffloadSpec&, const OffloadSpec&) = default;
};

struct TrainingSpec {
  OptimizerSpec optimizer;
  OffloadSpec offload;
  std::int64_t accumulation = 1;   // micro-batches per optimizer step
  bool gradient_clipping = false;  // global norm
  bool zero_to_none = true;        // zero_grad drops gradients (default since torch 2.0)
  bool keep_outputs = true;        // the script holds `outputs` (logits) through the step
  bool sync_each_step = true;      // loss.item() or a logger reads the loss every step
  int steps = 2;                   // simulated; step 0 warms up (lazy states), the last is reported

  friend bool operator==(const TrainingSpec&, const TrainingSpec&) = default;
};

}  // namespace heddle::parallel
