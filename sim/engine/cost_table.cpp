#include "sim/engine/cost_table.h"

#include <map>
#include <utility>

#include "sim/base/check.h"
#include "sim/model/compute_model.h"
#include "sim/model/interference.h"

namespace heddle::engine {
namespace {

// HBM bytes of a GPU per byte on the wire, worked out from NCCL's kernels, not measured (sigma 30
// %): a ring step reads its input and the arrival buffer while the next piece arrives; in-switch
// reduction copies in and out of its buffers (per payload byte).
constexpr double kRingHbmPerWireByte = 3;
constexpr double kNvlsHbmPerByte = 6;

model::Interference interference(const collective::CollectiveCost& cost,
                                 schedule::CollectiveKind kind, int ranks) {
  const double factor =
      cost.algorithm == collective::Algorithm::kNvls
          ? kNvlsHbmPerByte
          : kRingHbmPerWireByte * collective::CollectiveModel::bus_factor(kind, ranks);
  return {cost.channels, scale(cost.rate, factor)};
}

/// Adds the entries of a table. Groups mostly cost alike: what a cost does to kernels is worked out
/// once.
class Pricing {
 public:
  Pricing(const schedule::Schedule& schedule, const Platform& platform, CostTable& costs)
      : schedule_(schedule), platform_(platform), costs_(costs) {}

  void add(const schedule::Collective& c) {
    const std::size_t communicator = c.communicator.index();
    HEDDLE_CHECK(communicator < platform_.communicators.size(), "a communicator without a model");
    const auto& models = platform_.communicators[communicator];
    HEDDLE_CHECK(models.size() == schedule_.communicators[communicator].groups.size(),
                 "a group without a model");
    std::vector<std::uint32_t>& entries = costs_.entries.emplace_back();
    for (const collective::CollectiveModel& model : models) {
      entries.push_back(static_cast<std::uint32_t>(costs_.collectives.size()));
      costs_.collectives.push_back(model.cost({c.kind, c.bytes}));
      costs_.beside.push_back(
          kernels_beside(interference(costs_.collectives.back(), c.kind, model.size())));
    }
  }

 private:
  const std::vector<Duration>& kernels_beside(const model::Interference& interference) {
    const std::pair key(interference.ctas, interference.hbm.bytes_per_second);
    const auto [found, fresh] = known_.try_emplace(key);
    if (!fresh) return found->second;
    found->second.reserve(schedule_.kernels.size());
    for (const schedule::Kernel& kernel : schedule_.kernels) {
      found->second.push_back(model::kernel_time_beside(kernel, platform_.gpu, interference));
    }
    return found->second;
  }

  const schedule::Schedule& schedule_;
  const Platform& platform_;
  CostTable& costs_;
  std::map<std::pair<int, std::int64_t>, std::vector<Duration>> known_;
};

}  // namespace

CostTable price(const schedule::Schedule& schedule, const Platform& platform) {
  CostTable costs;
  costs.launch_latency = platform.gpu.launch_latency;
  costs.host = platform.host;
  costs.speeds = platform.speeds;
  costs.background = platform.background;
  costs.kernels.reserve(schedule.kernels.size());
  for (const schedule::Kernel& kernel : schedule.kernels) {
    costs.kernels.push_back(model::kernel_time(kernel, platform.gpu).duration);
  }
  Pricing pricing(schedule, platform, costs);
  for (const schedule::Collective& c : schedule.collectives) pricing.add(c);
  costs.links.reserve(platform.fabric.links().size());
  for (const fabric::Link& link : platform.fabric.links()) costs.links.push_back(link.capacity);
  return costs;
}

}  // namespace heddle::engine
