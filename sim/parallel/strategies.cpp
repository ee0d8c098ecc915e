#include <algorithm>
#include <array>

#include "sim/parallel/strategies/all.h"

namespace heddle::parallel {

std::span<const StrategyEntry> strategies() {
  static const std::array<StrategyEntry, 5> kTable{{
      {"ddp",
       "every rank holds everything; gradients all-reduced in buckets under backward",
       {"pytorch-ddp"},
       make_ddp},
      {"zero1",
       "optimizer states sharded; gradients reduced after backward",
       {"deepspeed"},
       make_zero1},
      {"zero2",
       "optimizer states and gradients sharded; gradients reduced during backward",
       {"deepspeed"},
       make_zero2},
      {"zero3",
       "weights sharded too; gathered module by module with prefetch",
       {"deepspeed"},
       make_zero3},
      {"fsdp",
       "weights sharded per layer; gathered for forward and again for backward",
       {"fsdp1", "fsdp2"},
       make_fsdp},
  }};
  return kTable;
}

std::string training_problem(const TrainingSpec& training) {
  TrainingSpec known = training;
  known.optimizer = {.kernel = training.optimizer.kernel};
  known.offload = {};
  known.accumulation = 1;
  known.zero_to_none = true;
  if (training == known) return "";
  return "optimizers other than adamw, offload, accumulation and zero_to_none are not modelled";
}

const StrategyEntry* find_strategy(std::string_view name) {
  const auto table = strategies();
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const StrategyEntry& entry) { return entry.name == name; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace heddle::parallel
