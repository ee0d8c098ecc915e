#pragma once
// The numbers of fabric::CommParameters that measured collectives can correct.

#include <optional>
#include <span>
#include <string_view>

#include "sim/fabric/comm_parameters.h"

namespace heddle::fit {

struct CommParameter {
  std::string_view name;  // as an overlay's keys: "host_staging/per_cta_same_socket"
  std::string_view unit;  // of get and set: "1" (a share), "B/s", "s"
  double highest = 0;     // 1 for shares
  /// The elasticity |d ln T / d ln parameter| from which a row counts. Rates: nine tenths of the
  /// time, because latencies are not fitted and their error must not become a rate's.
  double least_elasticity = 0;
  /// Absent where the machine has no such thing.
  std::optional<double> (*get)(const fabric::CommParameters& comm) = nullptr;
  void (*set)(fabric::CommParameters& comm, double value) = nullptr;
};

/// In the order in which they are shown. The number of CTAs that stage through host memory is not
/// among them: only its product with the rate of one shows in a time.
std::span<const CommParameter> comm_parameters();

}  // namespace heddle::fit
