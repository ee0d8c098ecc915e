#pragma once
// Sizes that every way to compute attention shares.

#include "sim/model/model_graph.h"
#include "sim/model/numerics.h"

namespace heddle::model {

struct AttentionShape {
  AttentionShape(const ModelSpec& spec, const BatchShape& b, const Numerics& numerics)
      : batch(b),
        tokens(b.micro_batch * b.sequence),
        heads(spec.heads),
        head_dim(spec.head_dim),
        q_bytes(tokens * heads * head_dim * numerics.compute),
        kv_bytes(tokens * spec.kv_heads * head_dim * numerics.compute) {}

  BatchShape batch;
  std::int64_t tokens;
  std::int64_t heads;
  std::int64_t head_dim;
  std::int64_t q_bytes;   // tokens x heads x head_dim
  std::int64_t kv_bytes;  // tokens x key/value heads x head_dim
};

/// Saved tensors that attention reads.
struct Heads {
  int query = -1;
  int key = -1;
  int value = -1;
};

}  // namespace heddle::model
