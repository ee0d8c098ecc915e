#pragma once
// Which weights ZeRO-3 has at hand (deepspeed/runtime/zero/partitioned_param_coordinator.py,
// 0.15.4).
//
// The first step records the order in which rows read weights, forward then backward: the trace.
// From then on, at every row:
//   fetch     what the row needs and is not there or under way
//   prefetch  the next weights of the trace not there, as one group: until the group has
//             prefetch_bucket elements or max_live elements are held
//   release   what the row read, unless the trace reads it again within max_reuse_distance elements
// Pure bookkeeping: no memory, no time. Weights below the persistence threshold never leave and
// never appear here.

#include <cstdint>
#include <vector>

namespace heddle::parallel {

struct ParamCacheLimits {
  std::int64_t prefetch_bucket = 0;
  std::int64_t max_live = 0;
  std::int64_t max_reuse_distance = 0;
};

class ParamCache {
 public:
  /// `numel` by weight; `trace` lists weights in the order one step reads them.
  ParamCache(std::vector<std::int64_t> numel, std::vector<int> trace, ParamCacheLimits limits);

  void begin_step();
  /// Whether `weight` must be gathered before a row can read it.
  bool must_fetch(int weight) const;
  void mark_present(int weight);
  /// The row read the weight at the head of the trace: moves on.
  void advance();
  /// The group to gather ahead, possibly empty. Those weights count as held from now on.
  std::vector<int> prefetch();
  /// Whether `weight`, just read, goes now. If so it is no longer held. While the trace is still
  /// being recorded (`traced` false) everything goes at once.
  bool release(int weight, bool traced);
  std::int64_t held() const { return held_; }

 private:
  bool read_again_soon(int weight) const;

  std::vector<std::int64_t> numel_;
  std::vector<int> trace_;
  ParamCacheLimits limits_;
  std::vector<bool> present_;
  std::vector<std::size_t> fetched_up_to_;  // by weight: trace position its gather covers
  std::size_t position_ = 0;                // in the trace, next read
  std::size_t prefetched_ = 0;              // in the trace, next to look at for prefetching
  std::int64_t held_ = 0;
};

}  // namespace heddle::parallel
