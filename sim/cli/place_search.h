#pragma once
// Every placement of a job that the wiring tells apart, run and ranked.

#include <functional>
#include <string>
#include <vector>

#include "sim/cli/environment.h"
#include "sim/cli/study_loader.h"
#include "sim/run/study.h"

namespace heddle::cli {

struct PlaceRequest {
  int count = 0;
  std::vector<std::string> busy;  // "3", or "1:3" on a cluster
  std::string fabric;             // id; empty: every machine of the scenario
  /// Told before every case; false ends the search with those that were run. May be empty.
  std::function<bool(std::size_t done, std::size_t total)> go_on = {};
};

/// One strategy on one placement.
struct RankedPlace {
  std::size_t place = 0;  // into PlaceAnswer::places
  std::string strategy;   // id
  Duration step_time;
  Bytes needed;
  bool fits = false;
  std::string bound_by;
};

struct Place {
  std::string fabric;   // id in the scenario
  std::string machine;  // the fabric's name
  std::vector<run::GpuPlace> gpus;
  bool one_machine = true;  // GPU numbers say all
  double busbw_gb = 0;      // all-reduce of kPlaceBytes, GB/s
};
inline constexpr Bytes kPlaceBytes = gibibytes(1);

struct PlaceAnswer {
  std::string scenario;
  std::string heading;
  int count = 0;
  std::vector<std::string> busy;
  std::vector<Place> places;
  std::vector<RankedPlace> ranked;  // shortest step first; equal ones in order of GPU numbers
  bool complete = true;             // false: even placements only (sim/run/placement.h)
  std::string basis;
};

/// UsageError for an unknown fabric or GPU; BadInput for what is wrong in the scenario.
PlaceAnswer find_places(const StudyRequest& study, const PlaceRequest& request,
                        const Environment& env);

}  // namespace heddle::cli
