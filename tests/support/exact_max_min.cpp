#include "tests/support/exact_max_min.h"

#include <algorithm>

namespace heddle::test {
namespace {

struct Filling {
  const std::vector<Rational>& capacities;
  const std::vector<ExactActivity>& activities;
  std::vector<Rational> rates;
  std::vector<bool> stopped;

  /// How far all running activities can rise together before `resource` is full; -1: no limit.
  Rational level(std::size_t resource) const {
    Rational left = capacities[resource];
    Rational weight = 0;
    for (std::size_t a = 0; a < activities.size(); ++a) {
      for (const auto& [r, w] : activities[a].uses) {
        if (r != resource) continue;
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
                       [resource](const auto& use) { return use.first == resource; });
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

}  // namespace

std::vector<Rational> exact_max_min(const std::vector<Rational>& capacities,
                                    const std::vector<ExactActivity>& activities) {
  Filling filling{capacities, activities, std::vector<Rational>(activities.size(), 0),
                  std::vector<bool>(activities.size(), false)};
  while (std::count(filling.stopped.begin(), filling.stopped.end(), false) > 0) filling.step();
  return filling.rates;
}

std::vector<Rational> exact_finish_times(const std::vector<Rational>& capacities,
                                         const std::vector<ExactActivity>& activities,
                                         std::vector<Rational> payloads) {
  std::vector<Rational> ends(activities.size(), 0);
  std::vector<std::size_t> running(activities.size());
  for (std::size_t a = 0; a < running.size(); ++a) running[a] = a;
  Rational now = 0;
  while (!running.empty()) {
    std::vector<ExactActivity> active;
    for (const std::size_t a : running) active.push_back(activities[a]);
    const std::vector<Rational> rates = exact_max_min(capacities, active);
    Rational step = payloads[running[0]] / rates[0];
    for (std::size_t i = 1; i < running.size(); ++i) {
      step = std::min(step, Rational(payloads[running[i]] / rates[i]));
    }
    now += step;
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < running.size(); ++i) {
      payloads[running[i]] -= step * rates[i];
      if (payloads[running[i]] > 0) {
        left.push_back(running[i]);
      } else {
        ends[running[i]] = now;
      }
    }
    running = left;
  }
  return ends;
}

}  // namespace heddle::test
