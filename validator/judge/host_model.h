#pragma once
// What CPU ranks cost, fitted to a probe that ran on them just before, all ranks at once: so cores
// that ranks share are in the figures. Means of repeats, since times add up to a step.
//
//   product      t = a + flops / r + elements / b       elements = batch (mn + mk + nk); least
//   squares
//                                                       of relative errors, no term below zero
//   sweep        t = a + bytes / b
//   collective   t(bytes) linear between the probed sizes, by kind; beyond them by the last rate
//   turn         host gives, stream does, host hears: launch latency
//   beside       in the time a collective takes alone, kernels get on by the share x:
//                T_together = T_collectives + T_kernels - x min(T_collectives, T_kernels)
//
// Sigma is the relative root mean square of what the fit leaves, or of the repeats. Valid for the
// machine, rank count and load it was probed under, for sizes near the probed ones.

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/engine/cost_table.h"
#include "validator/execute/rank_runner.h"
#include "validator/judge/probe_schedule.h"

namespace heddle::judge {

/// By repeat and rank.
using Repeats = std::span<const std::vector<execute::RankRun>>;

/// A fitted value, for the report.
struct Parameter {
  std::string name;  // "product/rate"
  double value = 0;
  std::string unit;
  double sigma = 0;  // relative
};

struct CollectivePoint {
  double bytes = 0;
  double seconds = 0;
};

struct LinearTime {
  double fixed = 0;        // seconds
  double per_flop = 0;     // seconds
  double per_element = 0;  // seconds; of a sweep per byte
  double sigma = 0;
  double least = 0;  // FLOPs, of a sweep bytes, of what it was fitted to
  double most = 0;
};

/// All that was fitted.
struct HostCostValues {
  LinearTime product;
  LinearTime sweep;
  /// By kind and communicator; points by size.
  std::map<std::pair<schedule::CollectiveKind, std::uint32_t>, std::vector<CollectivePoint>>
      collectives;
  double collective_sigma = 0;
  double turn = 0;  // seconds
  double beside = 1;
};

class HostCosts {
 public:
  /// `runs` of the probe by rank, good ones.
  HostCosts(const Probe& probe, Repeats repeats);
  /// Fitted before.
  explicit HostCosts(HostCostValues values) : values_(std::move(values)) { report(); }

  /// For simulate(): no links, so a collective takes its time alone whatever else runs.
  engine::CostTable price(const schedule::Schedule& schedule) const;
  const std::vector<Parameter>& parameters() const { return parameters_; }
  const HostCostValues& values() const { return values_; }

 private:
  double kernel_seconds(const schedule::Kernel& kernel) const;
  double collective_seconds(const schedule::Collective& collective) const;
  void add_collective(const schedule::Collective& collective, std::span<const double> seconds);
  void smooth_collectives();
  void report();

  HostCostValues values_;
  std::vector<Parameter> parameters_;
};

}  // namespace heddle::judge
