#include "sim/engine/cost_table.h"

#include "sim/base/check.h"
#include "sim/model/compute_model.h"

namespace heddle::engine {

CostTable price(const schedule::Schedule& schedule, const Platform& platform) {
  CostTable costs;
  costs.launch_latency = platform.gpu.launch_latency;
  costs.host = platform.host;
  costs.kernels.reserve(schedule.kernels.size());
  for (const schedule::Kernel& kernel : schedule.kernels) {
    costs.kernels.push_back(model::kernel_time(kernel, platform.gpu).duration);
  }
  costs.collectives.reserve(schedule.collectives.size());
  for (const schedule::Collective& c : schedule.collectives) {
    const std::size_t communicator = c.communicator.index();
    HEDDLE_CHECK(communicator < platform.communicators.size(), "a communicator without a model");
    costs.collectives.push_back(platform.communicators[communicator]->cost({c.kind, c.bytes}));
  }
  costs.links.reserve(platform.fabric.links().size());
  for (const fabric::Link& link : platform.fabric.links()) costs.links.push_back(link.capacity);
  return costs;
}

}  // namespace heddle::engine
