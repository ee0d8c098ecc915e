#pragma once
// What torch.cuda.memory_stats() counts.

#include <algorithm>
#include <cstdint>

#include "sim/base/units.h"

namespace heddle::allocator {

struct Stat {
  Bytes current;
  Bytes peak;

  void add(std::int64_t bytes) {
    current.value += bytes;
    peak = std::max(peak, current);
  }
  friend bool operator==(const Stat&, const Stat&) = default;
};

struct AllocatorStats {
  Stat allocated;       // handed out
  Stat active;          // and those freed whose other streams are not done
  Stat reserved;        // taken from the device
  Stat inactive_split;  // free parts of segments partly in use; expandable ranges do not count
  std::int64_t allocations = 0;    // now
  std::int64_t segments = 0;       // now, those of cudaMalloc
  std::int64_t device_allocs = 0;  // calls: cudaMalloc, and mappings of pages
  std::int64_t device_frees = 0;
  std::int64_t retries = 0;  // allocations tried again after the cache was released
  std::int64_t out_of_memory = 0;

  /// torch.cuda.reset_peak_memory_stats()
  void reset_peaks() {
    for (Stat* stat : {&allocated, &active, &reserved, &inactive_split}) stat->peak = stat->current;
  }
  friend bool operator==(const AllocatorStats&, const AllocatorStats&) = default;
};

}  // namespace heddle::allocator
