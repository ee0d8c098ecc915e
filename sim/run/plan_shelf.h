#pragma once
// Schedules planned once and run on several wires: cases of a study that differ in what a schedule
// does not say share it, and what the caching allocator makes of it.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "sim/engine/prepared_schedule.h"
#include "sim/schedule/schedule.h"

namespace heddle::run {

struct Plan {
  explicit Plan(schedule::Schedule planned) : schedule(std::move(planned)) {}

  const schedule::Schedule schedule;
  const engine::PreparedSchedule prepared{schedule};
};

/// All that a schedule of a study follows from.
struct PlanKey {
  std::size_t strategy = 0;  // of the scenario's
  std::int64_t workspace = 0;
  int ranks = 0;
  int ranks_per_node = 0;
  std::size_t members = 0;  // fewer than ranks on a folded cluster

  friend auto operator<=>(const PlanKey&, const PlanKey&) = default;
};

class PlanShelf {
 public:
  /// `make` is called once per key, whatever the number of threads.
  std::shared_ptr<const Plan> get(const PlanKey& key,
                                  const std::function<schedule::Schedule()>& make);

 private:
  struct Place {
    std::once_flag made;
    std::shared_ptr<const Plan> plan;
  };
  std::mutex mutex_;
  std::map<PlanKey, Place> places_;  // references stay valid
};

}  // namespace heddle::run
