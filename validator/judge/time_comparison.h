#pragma once
// The last step as predicted against the last step as measured, repeat by repeat.

#include <span>
#include <string>
#include <vector>

#include "sim/engine/run_result.h"
#include "validator/judge/statistics.h"

namespace heddle::judge {

/// Seconds; error = predicted / measured - 1, zero where nothing was measured.
struct TimeRow {
  std::string name;
  int calls = 0;  // of a class, per rank and step
  double predicted = 0;
  double measured = 0;  // median over repeats
  double error() const { return measured > 0 ? predicted / measured - 1 : 0; }
};

struct TimeComparison {
  double predicted_step = 0;
  Summary step;                  // of the longest rank, over repeats
  std::vector<TimeRow> classes;  // kinds of kernels and collectives, busy time per rank
  std::vector<TimeRow> phases;   // busy time of the compute stream
  std::vector<double> ranks;     // median step of each
  std::size_t typical = 0;       // repeat whose step is next to the median

  double error() const { return step.median > 0 ? predicted_step / step.median - 1 : 0; }
};

/// `predicted` is a recording run of `planned`; `measured` unfolded ones of `executed`, at least
/// one. The two schedules are the same unless a file was edited.
TimeComparison compare_times(const schedule::Schedule& planned, const engine::RunResult& predicted,
                             const schedule::Schedule& executed,
                             std::span<const engine::RunResult> measured);

/// Seconds of the last step of the rank that takes longest.
double longest_step(const engine::RunResult& run);

/// First op of the last step in a program.
std::uint32_t last_step_begin(const schedule::Schedule& schedule, const schedule::Program& program);

}  // namespace heddle::judge
