#pragma once
// Sizes of the residual stream.

#include "sim/model/model_graph.h"
#include "sim/model/numerics.h"

namespace heddle::model {

struct StreamShape {
  StreamShape(const ModelSpec& spec, const BatchShape& batch, const ComputeOptions& options)
      : tokens(batch.micro_batch * batch.sequence),
        bytes(tokens * spec.hidden * Numerics(options.precision).stream) {}
  std::int64_t tokens;
  std::int64_t bytes;
};

}  // namespace heddle::model
