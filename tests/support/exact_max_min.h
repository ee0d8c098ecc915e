#pragma once
// Oracle for max-min fairness: textbook progressive filling over exact rationals, from scratch and
// in quadratic time. Shares no code with sim/engine.

#include <boost/multiprecision/cpp_int.hpp>
#include <cstddef>
#include <utility>
#include <vector>

namespace heddle::test {

using Rational = boost::multiprecision::cpp_rational;

struct ExactActivity {
  Rational cap;
  std::vector<std::pair<std::size_t, Rational>> uses;  // resource, weight
};

/// The max-min fair rate of each activity.
std::vector<Rational> exact_max_min(const std::vector<Rational>& capacities,
                                    const std::vector<ExactActivity>& activities);

/// When each activity ends if all start at time 0 with the given payloads.
std::vector<Rational> exact_finish_times(const std::vector<Rational>& capacities,
                                         const std::vector<ExactActivity>& activities,
                                         std::vector<Rational> payloads);

}  // namespace heddle::test
