#include "sim/parallel/strategies/param_cache.h"

#include <algorithm>
#include <utility>

namespace heddle::parallel {

ParamCache::ParamCache(std::vector<std::int64_t> numel, std::vector<int> trace,
                       ParamCacheLimits limits)
    : numel_(std::move(numel)),
      trace_(std::move(trace)),
      limits_(limits),
      present_(numel_.size()),
      fetched_up_to_(numel_.size()) {}

void ParamCache::begin_step() {
  position_ = 0;
  prefetched_ = 0;
  std::fill(fetched_up_to_.begin(), fetched_up_to_.end(), std::size_t{0});
}

bool ParamCache::must_fetch(int weight) const {
  return !present_[static_cast<std::size_t>(weight)];
}

void ParamCache::mark_present(int weight) {
  const auto w = static_cast<std::size_t>(weight);
  if (!present_[w]) held_ += numel_[w];
  present_[w] = true;
}

void ParamCache::advance() {
  ++position_;
  prefetched_ = std::max(prefetched_, position_);
}

std::vector<int> ParamCache::prefetch() {
  std::vector<int> group;
  const std::int64_t budget = std::min(limits_.max_live - held_, limits_.prefetch_bucket);
  std::int64_t collected = 0;
  while (prefetched_ < trace_.size() && collected < budget) {
    const int weight = trace_[prefetched_];
    const auto w = static_cast<std::size_t>(weight);
    fetched_up_to_[w] = prefetched_ + 1;  // also when present: its next use is then covered
    ++prefetched_;
    if (present_[w]) continue;
    mark_present(weight);
    collected += numel_[w];
    group.push_back(weight);
  }
  return group;
}

bool ParamCache::release(int weight, bool traced) {
  const auto w = static_cast<std::size_t>(weight);
  if (traced && (fetched_up_to_[w] > position_ || read_again_soon(weight))) return false;
  present_[w] = false;
  held_ -= numel_[w];
  return true;
}

bool ParamCache::read_again_soon(int weight) const {
  std::int64_t traversed = 0;
  for (std::size_t i = position_; i < trace_.size(); ++i) {
    if (traversed >= limits_.max_reuse_distance) return false;
    if (trace_[i] == weight) return true;
    traversed += numel_[static_cast<std::size_t>(trace_[i])];
  }
  return false;
}

}  // namespace heddle::parallel
