#pragma once
// The hardware quantities that are drawn, and what a draw does to the costs of a schedule.
//
//   value = stated value * exp(sigma z)      one z per quantity and machine or GPU kind, so that a
//                                            ring that is slow is slow in every collective

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/engine/cost_table.h"
#include "sim/run/machine.h"
#include "sim/run/scenario.h"

namespace heddle::run {

/// Whose collectives an efficiency belongs to.
enum class Wire { kNvlinkRing, kNvls, kPcie, kHostMemory, kNetwork };
inline constexpr std::size_t kWireCount = 5;

/// What a schedule is priced with. Factors of 1 change nothing, to the bit.
struct Perturbed {
  model::GpuModel gpu;
  engine::HostModel host;
  std::array<double, kWireCount> rates{1, 1, 1, 1, 1};  // of collectives, by Wire
  double latency = 1;                                   // of collectives
  double contention = 1;  // of what collectives add to the kernels beside them
};

struct Sigma {
  double relative = 0;
  std::string origin;
};

struct Parameter {
  std::string_view name;
  enum class Of { kGpu, kMachine, kHost } of = Of::kGpu;  // what its draws are common to
  Sigma (*sigma)(const Machine& machine, const VariationChoice& choice) = nullptr;
  void (*scale)(Perturbed& values, double factor) = nullptr;
};

/// In the order of the table. Adding one: a line in parameters.cpp.
std::span<const Parameter> parameters();

/// Costs and the link weights they refer to.
struct PerturbedCosts {
  PerturbedCosts() = default;
  PerturbedCosts(PerturbedCosts&&) =
      default;  // a copy's costs would point into the original's uses
  PerturbedCosts& operator=(PerturbedCosts&&) = default;

  engine::CostTable costs;
  std::vector<std::vector<collective::LinkUse>> uses;
};

/// The schedule on `platform` with `values` in place of its GPU, host and wires.
PerturbedCosts price(const schedule::Schedule& schedule, const engine::Platform& platform,
                     const Perturbed& values);

}  // namespace heddle::run
