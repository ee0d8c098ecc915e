#include "sim/model/compute_check.h"

namespace heddle::model {

std::string compute_problem(const ModelSpec& /*spec*/, const ComputeOptions& options) {
  ComputeOptions known;
  known.precision = options.precision;
  if (options == known) return "";
  return "attention, checkpointing, loss, compile, fused kernels, use_cache and lora are modelled "
         "at "
         "their defaults only";
}

}  // namespace heddle::model
