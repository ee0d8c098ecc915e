#pragma once
// A strategy turns a model graph into a schedule. Everything that differs between PyTorch DDP,
// DeepSpeed ZeRO and FSDP lives behind this interface; the engine knows none of them.
//
// Adding one: a file strategies/x.cpp with a Strategy, and a line in strategies.cpp.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.h"
#include "sim/model/model_graph.h"
#include "sim/parallel/dialect_options.h"
#include "sim/parallel/training_spec.h"
#include "sim/schedule/schedule.h"

namespace heddle::parallel {

struct PlanInput {
  const model::ModelGraph& graph;
  const TrainingSpec& training;
  const DialectOptions& options;  // a dialect reads its own part
  Bytes workspace;         // of the GPU's matrix library; nothing else of a GPU is in a schedule
  int ranks = 1;           // data-parallel degree, >= 1
  int ranks_per_node = 0;  // 0: machines hold unequal numbers, or ranks are not in their order
};

class Strategy {
 public:
  virtual ~Strategy() = default;
  /// Why this strategy does not model that input, or "" if it does. What no strategy models is
  /// refused by training_problem().
  virtual std::string refusal(const PlanInput& /*input*/) const { return ""; }
  /// What plan() leaves out of an input that it does not refuse, in words, or "". Shown with
  /// results.
  virtual std::string caveat(const PlanInput& /*input*/) const { return ""; }
  /// Who talks with whom; the first is the world. Of an input that is not refused.
  virtual std::vector<schedule::Communicator> communicators(const PlanInput& input) const;
  /// The whole program of every rank: set-up, then training.steps steps.
  virtual schedule::Schedule plan(const PlanInput& input) const = 0;
};

/// One row of the table: `name` as in scenarios, the dialect it uses by default and those it has.
struct StrategyEntry {
  std::string name;                   // "ddp", "zero0" to "zero3", "fsdp"
  std::string summary;                // one line for `heddle list strategies`
  std::vector<std::string> dialects;  // first is the default: "pytorch-ddp", "deepspeed", "fsdp1"
  std::unique_ptr<Strategy> (*make)(std::string_view dialect);
};

/// What no strategy models of a training step, or "".
std::string training_problem(const TrainingSpec& training);

std::span<const StrategyEntry> strategies();
/// nullptr if there is none of that name.
const StrategyEntry* find_strategy(std::string_view name);

}  // namespace heddle::parallel
