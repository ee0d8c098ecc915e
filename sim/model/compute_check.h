#pragma once
// What of a script's way to run a model is not modelled.

#include <string>

#include "sim/model/compute_options.h"
#include "sim/model/model_spec.h"

namespace heddle::model {

/// Most pieces of a chunked loss.
inline constexpr std::int64_t kMaxLossChunks = 1024;

/// Why `spec` cannot be laid out with these options, in words for the user, all reasons at once,
/// "; " between them; "" if it can.
std::string compute_problem(const ModelSpec& spec, const ComputeOptions& options);

}  // namespace heddle::model
