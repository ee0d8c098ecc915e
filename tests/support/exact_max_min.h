#pragma once
// Oracle for max-min fairness: textbook progressive filling over exact rationals, from scratch and
// in quadratic time. Shares no code with sim/engine; only the answers are rounded, to doubles.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::test {

struct ExactUse {
  std::size_t resource = 0;
  std::int64_t weight_ppb = 0;
};

struct ExactActivity {
  std::int64_t payload = 0;  // bytes; 0: never ends
  std::int64_t cap = 0;      // bytes per second
  std::vector<ExactUse> uses;
};

/// The max-min fair rate of each activity, bytes per second.
std::vector<double> exact_rates(const std::vector<std::int64_t>& capacities,
                                const std::vector<ExactActivity>& activities);

/// Seconds until each activity ends if all start at time 0; 0 for those that never do.
std::vector<double> exact_finish_times(const std::vector<std::int64_t>& capacities,
                                       const std::vector<ExactActivity>& activities);

}  // namespace heddle::test
