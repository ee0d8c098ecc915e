#include "sim/run/link_sharing.h"

#include <algorithm>
#include <map>
#include <vector>

#include "sim/base/int128.h"

namespace heddle::run {
namespace {

Bandwidth mean_rate(const engine::BackgroundResult& flow, const engine::RunResult& run) {
  return run.end > SimTime{} ? flow.moved / (run.end - SimTime{}) : Bandwidth{};
}

/// What a flow's payload rate means for a link; zero if it does not use it.
Bandwidth on_link(const engine::BackgroundFlow& flow, fabric::LinkId link, Bandwidth rate) {
  Int128 sum = 0;
  for (const collective::LinkUse& use : flow.uses) {
    if (use.link == link) sum += static_cast<Int128>(rate.bytes_per_second) * use.occupancy_ppb;
  }
  return {static_cast<std::int64_t>(sum / kPpb)};
}

/// By link: capacity less what background traffic took on average.
std::vector<std::int64_t> left_over(const MetricInputs& in, const engine::RunResult& run) {
  std::vector<std::int64_t> left;
  for (const fabric::Link& link : in.fabric.links()) left.push_back(link.capacity.bytes_per_second);
  for (std::size_t f = 0; f < in.background.size(); ++f) {
    const Bandwidth mean = mean_rate(run.background[f], run);
    std::map<fabric::LinkId, Int128> taken;
    for (const collective::LinkUse& use : in.background[f].uses) {
      taken[use.link] += static_cast<Int128>(mean.bytes_per_second) * use.occupancy_ppb;
    }
    for (const auto& [link, ppb] : taken) {
      left[link.index()] -= static_cast<std::int64_t>(ppb / kPpb);
    }
  }
  for (std::int64_t& each : left) each = std::max<std::int64_t>(0, each);
  return left;
}

}  // namespace

std::optional<fabric::LinkId> limiting_link(const collective::CollectiveCost& cost,
                                            const MetricInputs& in, const engine::RunResult& run) {
  if (in.background.empty()) return cost.limiting_link;
  std::optional<fabric::LinkId> limit = cost.limiting_link;
  const std::vector<std::int64_t> left = left_over(in, run);
  Int128 lowest = cost.rate.bytes_per_second;
  for (const collective::LinkUse& use : cost.uses) {
    if (use.occupancy_ppb <= 0) continue;
    const Int128 level = static_cast<Int128>(left[use.link.index()]) * kPpb / use.occupancy_ppb;
    if (level >= lowest) continue;
    lowest = level;
    limit = use.link;
  }
  return limit;
}

void measure_background(const MetricInputs& in, std::optional<fabric::LinkId> limit,
                        CaseResult& result) {
  for (std::size_t f = 0; f < in.background.size(); ++f) {
    const engine::BackgroundResult& flow = result.run.background[f];
    BackgroundLine line{in.background[f].name, flow.moved,  mean_rate(flow, result.run),
                        flow.transfers,        flow.behind, 0};
    if (limit) {
      const Bandwidth taken = on_link(in.background[f], *limit, line.mean);
      line.of_limit = static_cast<double>(taken.bytes_per_second) /
                      static_cast<double>(in.fabric.link(*limit).capacity.bytes_per_second);
    }
    result.background.push_back(line);
  }
}

}  // namespace heddle::run
