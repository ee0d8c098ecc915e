#include "tests/support/random_network.h"

#include <algorithm>
#include <limits>

#include "sim/base/rng.h"

namespace heddle::test {
namespace {

constexpr std::int64_t kWeightOne = 1'000'000'000;
constexpr std::int64_t kGigabytePerSecond = 1'000'000'000;

std::int64_t random_weight(Rng& rng, Weights weights) {
  switch (weights) {
    case Weights::kOne:
      break;
    case Weights::kWhole:
      return kWeightOne * rng.uniform_int(1, 3);
    case Weights::kAny:
      return rng.uniform_int(1, 3 * kWeightOne);
  }
  return kWeightOne;
}

NetworkActivity random_activity(Rng& rng, std::size_t links, const NetworkShape& shape) {
  NetworkActivity activity;
  activity.payload = {rng.uniform_int(1, 100'000'000)};
  const bool capped = rng.chance(0.3);
  activity.cap = {capped ? rng.uniform_int(1, 200) * kGigabytePerSecond
                         : std::numeric_limits<std::int64_t>::max()};
  for (std::size_t l = 0; l < links; ++l) {
    if (!rng.chance(0.4)) continue;
    const std::int64_t weight = random_weight(rng, shape.weights);
    activity.uses.push_back({engine::ResourceId{l}, weight});
  }
  if (activity.uses.empty()) {
    const std::int64_t l = rng.uniform_int(0, static_cast<std::int64_t>(links) - 1);
    activity.uses.push_back({engine::ResourceId{static_cast<std::size_t>(l)}, kWeightOne});
  }
  return activity;
}

}  // namespace

RandomNetwork random_network(std::uint64_t seed, const NetworkShape& shape) {
  Rng rng(seed);
  RandomNetwork network;
  for (std::int64_t l = rng.uniform_int(1, shape.max_links); l > 0; --l) {
    network.capacities.push_back({rng.uniform_int(1, 400) * kGigabytePerSecond});
  }
  for (std::int64_t a = rng.uniform_int(1, shape.max_activities); a > 0; --a) {
    network.activities.push_back(random_activity(rng, network.capacities.size(), shape));
  }
  for (int e = 0; e < shape.endless; ++e) {
    NetworkActivity activity = random_activity(rng, network.capacities.size(), shape);
    activity.payload = {};
    activity.cap = {rng.uniform_int(1, 200) * kGigabytePerSecond};
    network.activities.push_back(activity);
  }
  return network;
}

engine::ActivityId add_to(engine::FluidNetwork& fluid, const NetworkActivity& activity) {
  return activity.payload > Bytes{} ? fluid.add(activity.payload, activity.cap, activity.uses)
                                    : fluid.add_endless(activity.cap, activity.uses);
}

std::vector<SimTime> fluid_finish_times(const RandomNetwork& network) {
  engine::FluidNetwork fluid(network.capacities);
  std::vector<engine::ActivityId> ids;
  for (const NetworkActivity& a : network.activities) {
    ids.push_back(add_to(fluid, a));
  }
  std::vector<SimTime> ends(ids.size());
  std::vector<std::size_t> running;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (network.activities[i].payload > Bytes{}) running.push_back(i);
  }
  SimTime now;
  while (!running.empty()) {
    fluid.solve();
    Duration step = fluid.time_left(ids[running.front()]);
    for (const std::size_t i : running) step = std::min(step, fluid.time_left(ids[i]));
    fluid.advance(step);
    now += step;
    std::erase_if(running, [&](std::size_t i) {
      if (fluid.time_left(ids[i]) > Duration{0}) return false;
      ends[i] = now;
      fluid.remove(ids[i]);
      return true;
    });
  }
  return ends;
}

}  // namespace heddle::test
