#pragma once
// Schema "heddle.overlay/1": values found on one machine, in place of the priors of its kind
// (comm/*.json). Shipped ones lie in overlays/, `heddle calibrate` writes others. Every number is
// measured or calibrated; what an overlay does not name keeps its prior.

#include <optional>
#include <string>

#include "hw_models/data_file.h"
#include "hw_models/origin.h"
#include "sim/base/units.h"
#include "sim/fabric/comm_parameters.h"

namespace heddle::hw_models {

/// "comm" of an overlay; meanings as in fabric::CommParameters.
struct CommOverlay {
  std::optional<Sourced<double>> ring_efficiency;       // (0, 1]
  std::optional<Sourced<double>> nvls_efficiency;       // (0, 1]
  std::optional<Sourced<double>> pcie_ring_efficiency;  // (0, 1]
  std::optional<Sourced<int>> staging_ctas;             // "host_staging": {"ctas", ...}
  std::optional<Sourced<Bandwidth>> staging_per_cta_same_socket;
  std::optional<Sourced<Bandwidth>> staging_per_cta_cross_socket;
  std::optional<Sourced<double>> network_efficiency;  // "network": {"efficiency", "latency"}
  std::optional<Sourced<Duration>> network_latency;

  friend bool operator==(const CommOverlay&, const CommOverlay&) = default;
};

struct Overlay {
  std::string name;
  std::string summary;
  CommOverlay comm;

  friend bool operator==(const Overlay&, const Overlay&) = default;
};

/// A file without a stem may have any name.
std::optional<Overlay> read_overlay(const DataFile& file, Diagnostics& out);

/// JSON that read_overlay gives back exactly, shares to a millionth of a percent.
std::string write_overlay(const Overlay& overlay);

/// `comm` with the overlay's values. In-switch reduction for a machine that cannot reduce in a
/// switch is an error: the overlay is another machine's. Network values need a network and
/// otherwise wait for one. `file` is the overlay's, for messages.
std::optional<fabric::CommParameters> apply(const Overlay& overlay, fabric::CommParameters comm,
                                            const std::string& file, Diagnostics& out);

}  // namespace heddle::hw_models
