#include "hw_models/overlay.h"

namespace heddle::hw_models {
namespace {

template <typename T, typename Target>
void put(const std::optional<Sourced<T>>& value, Target& target) {
  if (value) target = value->value;
}

/// A value that replaces a prior brings its own error.
template <typename T>
void put_sigma(const std::optional<Sourced<T>>& value, double& sigma) {
  if (value && value->origin.sigma_percent > 0) sigma = value->origin.sigma_percent / 100;
}

void put_sigmas(const CommOverlay& from, fabric::CommSigmas& sigma) {
  put_sigma(from.ring_efficiency, sigma.ring);
  put_sigma(from.nvls_efficiency, sigma.nvls);
  put_sigma(from.pcie_ring_efficiency, sigma.pcie_ring);
  put_sigma(from.staging_per_cta_same_socket, sigma.host_staging);
  put_sigma(from.staging_per_cta_cross_socket, sigma.host_staging);
  put_sigma(from.network_efficiency, sigma.network);
  put_sigma(from.network_latency, sigma.network_latency);
}

}  // namespace

std::optional<fabric::CommParameters> apply(const Overlay& overlay, fabric::CommParameters comm,
                                            const std::string& file, Diagnostics& out) {
  const CommOverlay& from = overlay.comm;
  if (from.nvls_efficiency && !comm.nvls_efficiency) {
    out.error("overlay-nvls", file, "/comm/nvls_efficiency", 0,
              "the machine does not reduce in a switch, the overlay's does",
              "use the overlay of a machine with the same wiring");
    return std::nullopt;
  }
  put(from.ring_efficiency, comm.ring_efficiency);
  put(from.nvls_efficiency, comm.nvls_efficiency);
  put(from.pcie_ring_efficiency, comm.pcie_ring_efficiency);
  put(from.staging_ctas, comm.host_staging.ctas);
  put(from.staging_per_cta_same_socket, comm.host_staging.per_cta_same_socket);
  put(from.staging_per_cta_cross_socket, comm.host_staging.per_cta_cross_socket);
  put_sigmas(from, comm.sigma);
  if (comm.network) {
    put(from.network_efficiency, comm.network->efficiency);
    put(from.network_latency, comm.network->latency);
  }
  return comm;
}

}  // namespace heddle::hw_models
