#include "sim/engine/cost_table.h"

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

std::vector<Duration> kernels_beside(const schedule::Schedule& schedule, const model::GpuModel& gpu,
                                     const model::Interference& interference) {
  std::vector<Duration> times;
  times.reserve(schedule.kernels.size());
  for (const schedule::Kernel& kernel : schedule.kernels) {
    times.push_back(model::kernel_time_beside(kernel, gpu, interference));
  }
  return times;
}

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
  costs.collectives.reserve(schedule.collectives.size());
  for (const schedule::Collective& c : schedule.collectives) {
    const std::size_t communicator = c.communicator.index();
    HEDDLE_CHECK(communicator < platform.communicators.size(), "a communicator without a model");
    const collective::CollectiveModel& model = *platform.communicators[communicator];
    costs.collectives.push_back(model.cost({c.kind, c.bytes}));
    costs.beside.push_back(kernels_beside(
        schedule, platform.gpu, interference(costs.collectives.back(), c.kind, model.size())));
  }
  costs.links.reserve(platform.fabric.links().size());
  for (const fabric::Link& link : platform.fabric.links()) costs.links.push_back(link.capacity);
  return costs;
}

}  // namespace heddle::engine
