#include "tests/support/exact_max_min.h"

// GCC 12 takes Boost's small-integer buffer for uninitialised once everything is inlined.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>

namespace heddle::test {
namespace {

using Rational = boost::multiprecision::cpp_rational;

struct Filling {
  const std::vector<std::int64_t>& capacities;
  const std::vector<ExactActivity>& activities;
  std::vector<Rational> rates;
  std::vector<bool> stopped;

  /// How far all running activities can rise together before `resource` is full; -1: no limit.
  Rational level(std::size_t resource) const {
    Rational left = capacities[resource];
    Rational weight = 0;
    for (std::size_t a = 0; a < activities.size(); ++a) {
      for (const ExactUse& use : activities[a].uses) {
        if (use.resource != resource) continue;
        const Rational w(use.weight_ppb, 1'000'000'000);
        if (stopped[a]) {
          left -= w * rates[a];
        } else {
          weight += w;
        }
      }
    }
    return weight == 0 ? Rational(-1) : Rational(left / weight);
  }

  bool uses(std::size_t activity, std::size_t resource) const {
    const auto& list = activities[activity].uses;
    return std::any_of(list.begin(), list.end(),
                       [resource](const ExactUse& use) { return use.resource == resource; });
  }

  void stop(std::size_t activity, const Rational& rate) {
    if (stopped[activity]) return;
    stopped[activity] = true;
    rates[activity] = rate;
  }

  /// Raises the level to the next point where something stops.
  void step() {
    Rational lowest = -1;
    const auto consider = [&lowest](const Rational& l) {
      if (l >= 0 && (lowest < 0 || l < lowest)) lowest = l;
    };
    std::vector<Rational> levels;
    for (std::size_t r = 0; r < capacities.size(); ++r) consider(levels.emplace_back(level(r)));
    for (std::size_t a = 0; a < activities.size(); ++a) {
      if (!stopped[a]) consider(activities[a].cap);
    }
    for (std::size_t a = 0; a < activities.size(); ++a) {
      if (activities[a].cap == lowest) stop(a, lowest);
      for (std::size_t r = 0; r < capacities.size(); ++r) {
        if (levels[r] == lowest && uses(a, r)) stop(a, lowest);
      }
    }
  }
};

std::vector<Rational> fill(const std::vector<std::int64_t>& capacities,
                           const std::vector<ExactActivity>& activities) {
  Filling filling{capacities, activities, std::vector<Rational>(activities.size(), 0),
                  std::vector<bool>(activities.size(), false)};
  while (std::count(filling.stopped.begin(), filling.stopped.end(), false) > 0) filling.step();
  return filling.rates;
}

}  // namespace

std::vector<double> exact_rates(const std::vector<std::int64_t>& capacities,
                                const std::vector<ExactActivity>& activities) {
  std::vector<double> rates;
  for (const Rational& rate : fill(capacities, activities)) {
    rates.push_back(rate.convert_to<double>());
  }
  return rates;
}

std::vector<double> exact_finish_times(const std::vector<std::int64_t>& capacities,
                                       const std::vector<ExactActivity>& activities) {
  std::vector<double> ends(activities.size(), 0);
  std::vector<Rational> left;
  for (const ExactActivity& a : activities) left.emplace_back(a.payload);
  std::vector<std::size_t> running(activities.size());
  for (std::size_t a = 0; a < running.size(); ++a) running[a] = a;
  Rational now = 0;
  const auto ends_some_day = [&](std::size_t a) { return activities[a].payload > 0; };
  while (std::any_of(running.begin(), running.end(), ends_some_day)) {
    std::vector<ExactActivity> active;
    for (const std::size_t a : running) active.push_back(activities[a]);
    const std::vector<Rational> rates = fill(capacities, active);
    Rational step = -1;
    for (std::size_t i = 0; i < running.size(); ++i) {
      if (!ends_some_day(running[i])) continue;
      const Rational until = left[running[i]] / rates[i];
      if (step < 0 || until < step) step = until;
    }
    now += step;
    for (std::size_t i = 0; i < running.size(); ++i) {
      if (!ends_some_day(running[i])) continue;
      left[running[i]] -= step * rates[i];
      if (left[running[i]] == 0) ends[running[i]] = now.convert_to<double>();
    }
    std::erase_if(running, [&](std::size_t a) { return ends_some_day(a) && left[a] == 0; });
  }
  return ends;
}

}  // namespace heddle::test
