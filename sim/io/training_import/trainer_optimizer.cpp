#include "sim/io/training_import/trainer_optimizer.h"

#include <algorithm>
#include <array>

namespace heddle::io {

const TrainerOptimizer* find_trainer_optimizer(std::string_view name) {
  using parallel::OptimizerKernel;
  using parallel::OptimizerKind;
  static constexpr std::array<TrainerOptimizer, 9> kTable{{
      {"adamw_torch", OptimizerKind::kAdamW, OptimizerKernel::kForeach,
       "torch.optim.AdamW takes foreach on a GPU"},
      {"adamw_torch_fused", OptimizerKind::kAdamW, OptimizerKernel::kFused, "asked for fused"},
      {"adamw_apex_fused", OptimizerKind::kAdamW, OptimizerKernel::kFused,
       "Apex's FusedAdam makes one pass as well"},
      {"adamw_hf", OptimizerKind::kAdamW, OptimizerKernel::kForLoop,
       "transformers' own AdamW steps tensor by tensor"},
      {"sgd", OptimizerKind::kSgd, OptimizerKernel::kForeach, "torch.optim.SGD without momentum"},
      {"adafactor", OptimizerKind::kAdafactor, OptimizerKernel::kForLoop,
       "transformers' own Adafactor steps tensor by tensor; row and column sums"},
      {"adamw_bnb_8bit", OptimizerKind::kAdamW8bit, OptimizerKernel::kForeach, "bitsandbytes"},
      {"adamw_8bit", OptimizerKind::kAdamW8bit, OptimizerKernel::kForeach, "bitsandbytes"},
      {"paged_adamw_8bit", OptimizerKind::kPagedAdamW8bit, OptimizerKernel::kForeach,
       "bitsandbytes, unified memory"},
  }};
  const auto found = std::find_if(kTable.begin(), kTable.end(),
                                  [&](const TrainerOptimizer& o) { return o.name == name; });
  return found == kTable.end() ? nullptr : &*found;
}

}  // namespace heddle::io
