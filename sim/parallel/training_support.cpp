#include "sim/parallel/training_support.h"

#include <fmt/format.h>

#include <array>

namespace heddle::parallel {
namespace {

struct Feature {
  std::string_view name;  // as in scenarios
  bool used;
  bool supported;
};

bool other_optimizer(const OptimizerSpec& spec) {
  return spec.kind != OptimizerKind::kAdamW || spec.states != StateType::kAsWeights ||
         spec.capturable;
}

}  // namespace

std::string unsupported(const TrainingSpec& training, const TrainingSupport& support,
                        std::string_view who) {
  const std::array<Feature, 6> features{{
      {"an optimizer other than plain adamw", other_optimizer(training.optimizer),
       support.every_optimizer},
      {"optimizer.in_backward", training.optimizer.in_backward, support.in_backward},
      {"accumulation", training.accumulation > 1, support.accumulation},
      {"zero_to_none false", !training.zero_to_none, support.keeps_gradients},
      {"offload.optimizer", training.offload.optimizer, support.offload_optimizer},
      {"offload.parameters", training.offload.parameters, support.offload_parameters},
  }};
  std::string missing;
  for (const Feature& feature : features) {
    if (!feature.used || feature.supported) continue;
    missing += (missing.empty() ? "" : ", ") + std::string(feature.name);
  }
  return missing.empty() ? "" : fmt::format("not modelled with {}: {}", who, missing);
}

std::string without_masters(model::Precision precision) {
  if (precision != model::Precision::kFloat16) return "";
  return "fp16 weights need the fp32 masters and the loss scale that DeepSpeed keeps; set "
         "training.precision to \"autocast_fp16\" or take a ZeRO stage";
}

}  // namespace heddle::parallel
