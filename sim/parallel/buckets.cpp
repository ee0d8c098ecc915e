#include "sim/parallel/buckets.h"

#include <utility>

namespace heddle::parallel {

std::vector<Bucket> assign_buckets(std::span<const Bytes> sizes, const BucketLimits& limits) {
  std::vector<Bucket> buckets;
  Bucket open;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    open.bytes += sizes[i];
    open.tensors.push_back(i);
    if (open.bytes >= (buckets.empty() ? limits.first : limits.rest)) {
      buckets.push_back(std::exchange(open, {}));
    }
  }
  if (!open.tensors.empty()) buckets.push_back(std::move(open));
  return buckets;
}

}  // namespace heddle::parallel
