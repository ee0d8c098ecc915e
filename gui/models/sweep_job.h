#pragma once
// A sweep on threads of its own. The hooks are called there, one call at a time.

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "sim/run/hardware_catalog.h"
#include "sim/sweep/grid.h"
#include "sim/sweep/row.h"

namespace heddle::gui {

struct SweepRequest {
  std::string file;
  sweep::PathValues overrides;
  std::vector<sweep::Axis> axes;
};

struct SweepHooks {
  std::function<void(std::string identity, std::vector<sweep::Column> columns)> began;
  std::function<void(std::vector<sweep::Row> rows)> point;  // in order
  std::function<void(std::string problem)> ended;           // "" if all is well, also if cancelled
};

class SweepJob {
 public:
  /// `catalog` must outlive the job.
  SweepJob(SweepRequest request, const run::HardwareCatalog& catalog, SweepHooks hooks);
  /// Points that were begun are finished first.
  ~SweepJob() { cancel(); }
  void cancel() { stop_ = true; }

 private:
  std::atomic<bool> stop_ = false;
  std::jthread thread_;  // last: ends before what it uses
};

}  // namespace heddle::gui
