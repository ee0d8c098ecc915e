#pragma once
// Max-min fair rates of one set of activities, from scratch: progressive filling in integers.
//
// One level rises from zero; every activity not yet stopped has it as its rate. A resource with
// residual capacity R and unstopped weight W is full at level floor(R / W). At the lowest such
// level, or cap, ALL activities of ALL resources full there stop together, which is what makes the
// result independent of the order in which activities and resources are named: later levels are
// strictly higher. Cost O(uses log resources): a resource's level only rises, so a heap with lazily
// renewed keys finds the next one.

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/int128.h"

namespace heddle::engine {

class MaxMinSolver {
 public:
  void clear();
  /// Capacity and cap in bytes per second. Returned numbers count from zero.
  std::uint32_t add_resource(std::int64_t capacity);
  std::uint32_t add_activity(std::int64_t cap);
  /// The activity added last uses `resource`. Weight in parts per billion, positive.
  void add_use(std::uint32_t resource, std::int64_t weight_ppb);
  /// Rates by activity, valid until the next call.
  std::span<const std::int64_t> solve();

 private:
  struct Use {
    std::uint32_t resource;
    std::int64_t weight;
  };
  struct Resource {
    Int128 residual = 0;      // ppb of bytes per second not taken by stopped activities
    std::int64_t weight = 0;  // of the activities not stopped
    std::uint32_t users_begin = 0;
    std::uint32_t user_count = 0;
  };
  struct Activity {
    std::int64_t cap = 0;
    std::uint32_t uses_begin = 0;
    std::uint32_t use_count = 0;
    bool stopped = false;
  };
  struct Level {
    std::int64_t level;
    std::uint32_t resource;
  };
  static bool later(const Level& a, const Level& b) { return a.level > b.level; }

  void list_users();
  void start_filling();
  bool any_running();
  void push_level(std::uint32_t resource);
  std::int64_t next_level();
  void pop_full(std::int64_t& level);
  void stop(std::uint32_t activity, std::int64_t level);

  std::vector<Resource> resources_;
  std::vector<Activity> activities_;
  std::vector<Use> uses_;              // grouped by activity
  std::vector<std::uint32_t> users_;   // activities, grouped by resource
  std::vector<Level> heap_;            // keys may be too low, never too high
  std::vector<std::uint32_t> full_;    // resources full at the current level
  std::vector<std::uint32_t> by_cap_;  // activities, lowest cap first
  std::size_t next_cap_ = 0;
  std::vector<std::int64_t> rates_;
};

}  // namespace heddle::engine
