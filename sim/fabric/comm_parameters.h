#pragma once
// What a machine's collectives achieve on its links: one set per node file, never per measurement.
// Equations: sim/collective/README.md; values, sources and error bars: hw_models/nodes/*.json.

#include <optional>

#include "sim/base/units.h"

namespace heddle::fabric {

/// Ring through host memory, limited by the CTAs that copy (network_model: C * r_cta). Rates are
/// per CTA in one direction.
struct HostStaging {
  int ctas = 0;
  Bandwidth per_cta_same_socket;
  Bandwidth per_cta_cross_socket;
};

/// How bytes leave a machine (network_model 1.3, 2). Bandwidths are the links' own.
struct NetworkTransport {
  double efficiency = 0;   // achieved / NIC rate, (0, 1]
  Duration latency;        // of one message beside NCCL's own hop figure and the links' latency
  bool gpu_direct = true;  // false: NIC and GPU meet in host memory
  bool sockets = false;    // TCP through the kernel instead of RDMA
  Bandwidth per_nic_cap;   // of a socket transport's threads; zero: the NIC is the limit
};

/// Relative standard deviations of the numbers below. The defaults are those of priors that say
/// nothing (spread of several sites: hw_models/comm); files state their own.
struct CommSigmas {
  double ring = 0.06;
  double nvls = 0.03;
  double pcie_ring = 0.10;
  double host_staging = 0.20;
  double network = 0.04;
  double network_latency = 0.30;

  friend bool operator==(const CommSigmas&, const CommSigmas&) = default;
};

struct CommParameters {
  double ring_efficiency = 0;               // achieved / payload capacity of NVLink rings, (0, 1]
  std::optional<double> nvls_efficiency;    // in-switch reduction; absent: the node has no NVLS
  double pcie_ring_efficiency = 0;          // GPU-to-GPU over PCIe
  std::optional<NetworkTransport> network;  // absent: the machine is alone
  HostStaging host_staging;                 // ctas == 0: unknown, staging is refused
  CommSigmas sigma;
};

}  // namespace heddle::fabric
