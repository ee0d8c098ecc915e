#include <algorithm>
#include <array>

#include "sim/parallel/optimizer.h"
#include "sim/parallel/strategies/all.h"

namespace heddle::parallel {

std::span<const StrategyEntry> strategies() {
  static const std::array<StrategyEntry, 8> kTable{{
      {"single", "one GPU, nothing sharded, nothing reduced", {"pytorch"}, make_single},
      {"ddp",
       "every rank holds everything; gradients all-reduced in buckets under backward",
       {"pytorch-ddp"},
       make_ddp},
      {"zero0",
       "ZeRO off with bf16: fp32 gradients whole, optimizer states sharded all the same",
       {"deepspeed"},
       make_zero0},
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
      {"megatron",
       "weights and fp32 gradient buffer whole; optimizer states sharded",
       {"megatron"},
       make_megatron},
  }};
  return kTable;
}

std::vector<schedule::Communicator> Strategy::communicators(const PlanInput& input) const {
  return {schedule::world_communicator(input.ranks)};
}

std::string training_problem(const TrainingSpec& training) {
  if (training.offload.activations) return "offload.activations is not modelled";
  if (training.optimizer.in_backward && training.gradient_clipping) {
    return "a global norm cannot be clipped with optimizer.in_backward: gradients are gone before "
           "it is known";
  }
  if (training.optimizer.in_backward && (training.accumulation > 1 || !training.zero_to_none)) {
    return "optimizer.in_backward drops each gradient at once: it goes with accumulation 1 and "
           "zero_to_none true only";
  }
  return optimizer_problem(training.optimizer);
}

const StrategyEntry* find_strategy(std::string_view name) {
  const auto table = strategies();
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const StrategyEntry& entry) { return entry.name == name; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace heddle::parallel
