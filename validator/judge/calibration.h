#pragma once
// What a machine's ranks cost, measured once and kept: kernels, collectives by size and number of
// ranks, launches, overlap. Stamped with the environment; used later, what has changed since and
// what lies beyond the measured sizes is said.

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "validator/judge/host_facts.h"
#include "validator/judge/host_model.h"
#include "validator/launch/fleet.h"

namespace heddle::judge {

struct CalibrationEntry {
  int ranks = 1;
  HostCosts costs;
};

struct Calibration {
  std::string backend;
  HostFacts host;
  std::vector<std::pair<std::string, std::string>> versions;  // of the ranks
  std::vector<CalibrationEntry> entries;                      // by ranks

  /// nullptr if there is none for so many.
  const CalibrationEntry* entry_for(int ranks) const;
};

struct CalibrationOutcome {
  Calibration calibration;
  std::optional<launch::FleetFailure> failure;
};

/// Work of many shapes and sizes, from which the probe takes others: on a GPU products up to 8192
/// and messages up to 256 MiB, on cores up to 512 and 4 MiB.
schedule::Schedule calibration_schedule(int ranks, bool on_gpu);

/// Ranks of `plan`, started anew for each number of them.
CalibrationOutcome calibrate(const launch::FleetPlan& plan, const std::vector<int>& ranks,
                             const std::function<void(const std::string&)>& tell);

/// Why a calibration may not tell the truth about `schedule` here and now, a line each:
///   stale          made on another machine, with other versions, or more than thirty days before
///   extrapolated   kernels or messages beyond the sizes it was fitted to
///   not disjoint   a message of exactly a size it was fitted to
std::vector<std::string> doubts(const Calibration& calibration, const CalibrationEntry& entry,
                                const schedule::Schedule& schedule, const HostFacts& now,
                                const std::vector<std::pair<std::string, std::string>>& versions);

}  // namespace heddle::judge
