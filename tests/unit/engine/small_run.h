#pragma once
// A schedule written by hand and simulated with round numbers: a kernel of `us` microseconds, links
// of 1 GB/s (1000 bytes take 1 us), collectives with 2 us latency on the link named after their
// communicator, launch latency 3 us, 1 us of host time per dispatch and 4 us per collective.

#include <limits>
#include <string>
#include <vector>

#include "sim/engine/simulation.h"
#include "sim/schedule/schedule_builder.h"

namespace heddle::engine {

inline schedule::Kernel kernel_of(std::int64_t us) {
  schedule::Kernel kernel;
  kernel.m = us;  // what makes it distinct, and how long it takes
  return kernel;
}

inline schedule::Collective all_reduce_of(std::int64_t bytes, std::size_t communicator = 0) {
  return {schedule::CollectiveKind::kAllReduce, schedule::CommunicatorId{communicator},
          Bytes{bytes}, schedule::DType::kBFloat16};
}

struct SmallRun {
  schedule::Schedule schedule;
  std::vector<std::size_t> link_of_communicator;  // default: every one uses link 0
  std::vector<std::int64_t> speeds;               // by rank; default: all full
  std::vector<BackgroundFlow> background;
  std::int64_t run_ahead = 0;
  Duration per_step = {};
  ExecutorOptions options;

  explicit SmallRun(schedule::Schedule s) : schedule(std::move(s)) {}

  RunResult run() const {
    CostTable costs;
    costs.links = {Bandwidth{1'000'000'000}, Bandwidth{1'000'000'000}};
    costs.speeds = speeds;
    costs.background = background;
    costs.launch_latency = microseconds(3);
    costs.host = {microseconds(1), microseconds(4), run_ahead, per_step};
    for (const schedule::Kernel& k : schedule.kernels) costs.kernels.push_back(microseconds(k.m));
    std::vector<std::vector<collective::LinkUse>> uses(schedule.communicators.size());
    for (std::size_t c = 0; c < uses.size(); ++c) {
      const std::size_t link = c < link_of_communicator.size() ? link_of_communicator[c] : 0;
      uses[c] = {{fabric::LinkId{link}, kPpb, kPpb}};
    }
    for (const schedule::Collective& c : schedule.collectives) {
      collective::CollectiveCost cost;
      cost.latency = microseconds(2);
      cost.payload = c.bytes;
      cost.uses = uses[c.communicator.index()];
      cost.rate_cap = {std::numeric_limits<std::int64_t>::max()};
      costs.collectives.push_back(cost);
    }
    return simulate(schedule, costs, options);
  }
};

constexpr SimTime at_us(std::int64_t us) {
  return SimTime{} + microseconds(us);
}

/// The life of op `op` of the first class.
inline Interval interval_of(const RankResult& rank, std::uint32_t op) {
  for (const Interval& i : rank.intervals) {
    if (i.op == op) return i;
  }
  return {};
}

}  // namespace heddle::engine
