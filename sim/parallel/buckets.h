#pragma once
// Gradient buckets of PyTorch DDP (torch/csrc/distributed/c10d/reducer.cpp,
// compute_bucket_assignment_by_size): tensors join the open bucket in the order given; a bucket
// that has reached its limit is closed with the tensor that filled it. The first limit is 1 MiB so
// that communication starts early, later ones 25 MiB.

#include <span>
#include <vector>

#include "sim/base/units.h"

namespace heddle::parallel {

struct Bucket {
  Bytes bytes;
  std::vector<std::size_t> tensors;  // indices into the sizes given
};

struct BucketLimits {
  Bytes first = mebibytes(1);
  Bytes rest = mebibytes(25);
};

/// Every tensor is in exactly one bucket; bytes sum to the total.
std::vector<Bucket> assign_buckets(std::span<const Bytes> sizes, const BucketLimits& limits);

}  // namespace heddle::parallel
