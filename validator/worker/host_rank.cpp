#include "validator/worker/host_rank.h"

#include <utility>

namespace heddle::worker {
namespace {

/// Made before the device that uses it and gone after it.
struct OwnTransport {
  OwnTransport(std::unique_ptr<device::Transport> own, const execute::Fault& fault)
      : transport(std::move(own)), faulty(*transport, fault) {}
  std::unique_ptr<device::Transport> transport;
  execute::FaultyTransport faulty;
};

class HostRank : private OwnTransport, public device::HostDevice {
 public:
  HostRank(const RankOrder& order, int rank, std::unique_ptr<device::Transport> own)
      : OwnTransport(std::move(own), order.fault),
        HostDevice(order.schedule, rank, faulty, {order.request.memory}, device::steady_clock()) {}
};

}  // namespace

std::unique_ptr<device::Device> make_host_rank(const RankOrder& order, int rank,
                                               std::unique_ptr<device::Transport> transport,
                                               std::string& problem) {
  if (!transport) {
    problem = "the backend has no way to exchange data";
    return nullptr;
  }
  return std::make_unique<HostRank>(order, rank, std::move(transport));
}

}  // namespace heddle::worker
