#pragma once
// One validation from ranks coming up to a verdict:
//
//   start       does it fit this machine? ranks, and all they must have in common
//   calibrate   the probe, three times
//   predict     simulate with those costs; written and hashed before what follows
//   check       the schedule once, data verified, memory counted and given back: nothing is timed
//   measure     two repeats to warm up, then until the median stands (statistics.h)
//   quiet       on a GPU: nine repeats without events round ops
//   drift       the probe again: does the machine still cost what it did?
//   judge       noisy or drifted: again from `calibrate`, up to three times, then "could not
//   measure"

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/io/schedule_file.h"
#include "validator/judge/calibration.h"
#include "validator/judge/gpu_findings.h"
#include "validator/judge/host_facts.h"
#include "validator/judge/host_model.h"
#include "validator/judge/memory_comparison.h"
#include "validator/judge/time_comparison.h"
#include "validator/launch/fleet.h"

namespace heddle::judge {

struct ValidationPlan {
  io::ScheduleFile planned;                  // what is predicted
  std::string planned_text;                  // its file
  std::optional<io::ScheduleFile> executed;  // what is run, if it is another
  std::string executed_text;
  double scale = 1;
  double tolerance = 0.25;  // of the step's error
  int attempts = 3;
  launch::FleetPlan fleet;
  /// Costs in place of a probe; must have an entry for the planned ranks.
  std::optional<Calibration> calibration;
  bool async_allocator = false;  // on a GPU: cudaMallocAsync in place of the allocator's rules
  execute::Fault fault;          // tests inject; of the measurement
  execute::Fault check_fault;    // of the check
};

enum class Verdict { kAgrees, kDisagrees, kNotMeasured };
std::string_view to_string(Verdict verdict);  // "agrees", "disagrees", "not_measured"

/// Of the predicted step, beyond which the machine changed under the measurement.
inline constexpr double kMostDrift = 0.15;

struct Validation {
  Verdict verdict = Verdict::kNotMeasured;
  std::vector<std::string> reasons;
  bool complete = true;
  HostFacts host;
  std::string prediction_hash;
  int attempts = 0;
  engine::RunResult predicted;  // of the planned schedule
  engine::RunResult typical;    // of the executed one, the repeat next to the median
  engine::RunResult counted;    // of the executed one, with memory; its times mean nothing
  std::optional<TimeComparison> time;
  std::optional<MemoryComparison> memory;
  double drift = 0;       // of the predicted step, by the probe after the measurement
  Bytes resident_growth;  // of a process at its peak in the check; of the fullest rank
  Bytes resident_expected;
  bool resident_agrees = true;
  std::optional<GpuFindings> gpu;
  std::vector<worker::Hello> hellos;  // by rank: versions, places, clocks
  std::vector<Parameter> parameters;
  std::vector<std::string> doubts;  // why a calibration made before may be wrong here
  std::optional<launch::FleetFailure> failure;

  bool unsteady() const;  // noisy, or the machine drifted
};

/// What is told while it runs, a line each; for a journal and a terminal.
struct ValidationListener {
  std::function<void(const std::string&)> stage;                  // "calibrating"
  std::function<void(int attempt, double step_seconds)> sample;   // as they come
  std::function<void(const std::string& text)> write_prediction;  // may throw Error
};

Validation validate(const ValidationPlan& plan, const ValidationListener& listener);

}  // namespace heddle::judge
