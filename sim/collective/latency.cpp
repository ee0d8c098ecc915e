#include "sim/collective/latency.h"

#include <cmath>

namespace heddle::collective {

Duration scaled(Duration duration, double factor) {
  return {std::llround(static_cast<double>(duration.ps) * factor)};
}

Duration network_step(Duration hop, const fabric::CommParameters& comm, Protocol protocol) {
  const Duration wire = comm.network ? comm.network->latency : Duration{};
  return hop + wire * (protocol == Protocol::kSimple ? 2 : 1);
}

const PathTiming& path_timing(const TimingTuning& timing, Transport transport) {
  if (transport == Transport::kNetwork) return timing.network;
  const bool is_pcie = transport == Transport::kPcie || transport == Transport::kHostMemory;
  return is_pcie ? timing.pcie : timing.nvlink;
}

Duration timed(const Latency& latency, Protocol protocol, Transport inside,
               const TimingTuning& timing) {
  return scaled(latency.base, timing.base_factor) +
         scaled(latency.inside, of(path_timing(timing, inside).latency_factor, protocol)) +
         scaled(latency.network, of(timing.network.latency_factor, protocol));
}

Pipelining pipelining_of(const TimingTuning& timing, Transport worst) {
  const PathTiming& path = path_timing(timing, worst);
  return {path.sync, path.sync_until};
}

}  // namespace heddle::collective
