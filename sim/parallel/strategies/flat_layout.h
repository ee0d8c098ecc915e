#pragma once
// FSDP 1's flat parameter: a unit's tensors one after the other, cut into equal shards
// (torch/distributed/fsdp/_flat_param.py, 2.5.1).
//
// use_orig_params false: no space between tensors; padded to a multiple of the shards when sharded,
//   so a gradient of another length is copied into a padded one before its reduction.
// use_orig_params true: every tensor begins at a multiple of 16 bytes, and the padding to a
// multiple
//   of the shards belongs to the flat parameter itself.

#include <cstdint>
#include <vector>

#include "sim/parallel/optimizer.h"
#include "sim/parallel/strategies/fsdp.h"

namespace heddle::parallel {

struct FlatLayout {
  struct Range {
    std::int64_t begin = 0;
    std::int64_t end = 0;
  };
  std::int64_t elements = 0;   // of the flat parameter and its gradient
  std::int64_t shard = 0;      // of one rank
  std::vector<Range> trained;  // elements of trained tensors
};

/// `alignment` in elements: 16 bytes over the size of a gathered element, or 1.
FlatLayout flat_layout(const model::ModelGraph& graph, const FsdpUnit& unit, int shards,
                       std::int64_t alignment);

/// What the rank that holds most trained elements steps: its part of each tensor, all vectors.
std::vector<OptimizerTensor> fullest_rank(const std::vector<FlatLayout>& layouts, int shards);

}  // namespace heddle::parallel
