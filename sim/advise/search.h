#pragma once
// The best candidates of a space, by branch and bound: candidates in the order of their bounds are
// simulated until no bound left is below the worst result that is kept. What is pruned cannot
// belong to the answer as long as the bounds hold (bounds.h; tests compare with running them all).

#include <optional>
#include <string>
#include <vector>

#include "sim/advise/bounds.h"
#include "sim/advise/space.h"

namespace heddle::advise {

enum class Objective { kTime, kCost, kMemory };

struct SearchRequest {
  Objective objective = Objective::kTime;
  std::size_t top = 5;   // at least one
  bool must_fit = true;  // the verdict has to be "fits"
};

struct Finalist {
  Candidate candidate;
  Bound bound;
  run::CaseResult result;  // without its schedule and timelines
  double value = 0;        // of the objective: s, money per step or bytes
};

struct RefusedStrategy {
  std::string id;
  std::string reason;
};

/// How many candidates ended where; the sum of the counts is the space's size.
struct Tally {
  std::size_t refused = 0;        // not modelled
  std::size_t bound_memory = 0;   // cannot fit
  std::size_t bound_kernels = 0;  // kernels alone take longer than the worst kept
  std::size_t bound_host = 0;     // issuing its operators does
  std::size_t bound_wires = 0;    // bytes over the best rate do
  std::size_t bound_value = 0;    // needs more than the worst kept (objective memory)
  std::size_t simulated = 0;
  std::size_t does_not_fit = 0;  // of those simulated
};

struct Advice {
  /// Best first, each strategy and batch at its best place; equal ones in the order of bounds.
  std::vector<Finalist> best;
  std::vector<RefusedStrategy> refused;
  Tally tally;
};

/// `bounds` are those of the space.
Advice search(const Space& space, const Bounds& bounds, const CaseRunner& runner,
              const SearchRequest& request);

/// How much slower the first may be than the second if both are off by a share `error` in the worst
/// direction: (1 + e) first / ((1 - e) second) - 1, at least 0.
double regret(double first, double second, double error);

}  // namespace heddle::advise
