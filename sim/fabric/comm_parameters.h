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

struct CommParameters {
  double ring_efficiency = 0;             // achieved / payload capacity of NVLink rings, (0, 1]
  std::optional<double> nvls_efficiency;  // in-switch reduction; absent: the node has no NVLS
  double pcie_ring_efficiency = 0;        // GPU-to-GPU over PCIe
  double network_efficiency = 0;          // across nodes
  HostStaging host_staging;               // ctas == 0: unknown, staging is refused
};

}  // namespace heddle::fabric
