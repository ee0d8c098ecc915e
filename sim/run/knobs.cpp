#include "sim/run/knobs.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sim/parallel/strategy.h"

namespace heddle::run {
namespace {

/// Sets `field` and says whether that changed it.
template <typename T>
bool set(T& field, T value) {
  return std::exchange(field, value) != value;
}

bool fuse_optimizer(Scenario& scenario, StrategyChoice&) {
  return set(scenario.training.optimizer.kernel, parallel::OptimizerKernel::kFused);
}

bool expand_segments(Scenario& scenario, StrategyChoice&) {
  if (!set(scenario.allocator.config.expandable_segments, true)) return false;
  scenario.allocator.text +=
      (scenario.allocator.text.empty() ? "" : ",") + std::string("expandable_segments:True");
  return true;
}

bool drop_outputs(Scenario& scenario, StrategyChoice&) {
  return set(scenario.training.keep_outputs, false);
}

bool view_buckets(Scenario&, StrategyChoice& choice) {
  return choice.dialect == "pytorch-ddp" && set(choice.options.ddp.gradient_as_bucket_view, true);
}

constexpr std::int64_t kSmallBucket = 50'000'000;

bool shrink_bucket(Scenario&, StrategyChoice& choice) {
  std::int64_t& bucket = choice.options.deepspeed.reduce_bucket_size;
  return choice.dialect == "deepspeed" && bucket > kSmallBucket && set(bucket, kSmallBucket);
}

bool live_less(Scenario&, StrategyChoice& choice) {
  constexpr std::int64_t kLive = 300'000'000;
  parallel::DeepSpeedOptions& options = choice.options.deepspeed;
  if (choice.strategy != "zero3" || options.max_live_parameters <= kLive) return false;
  options.max_live_parameters = kLive;
  options.max_reuse_distance = std::min(options.max_reuse_distance, kLive);
  return true;
}

bool limit_gathers(Scenario&, StrategyChoice& choice) {
  return choice.dialect == "fsdp1" && set(choice.options.fsdp.limit_all_gathers, true);
}

bool no_prefetch(Scenario&, StrategyChoice& choice) {
  return choice.dialect == "fsdp1" &&
         set(choice.options.fsdp.backward_prefetch, parallel::BackwardPrefetch::kNone);
}

bool chunk_loss(Scenario& scenario, StrategyChoice&) {
  if (scenario.model.family != model::Family::kDecoder) return false;
  if (scenario.compute.loss == model::LossHead::kFused) return false;
  if (!set(scenario.compute.loss, model::LossHead::kChunked)) return false;
  scenario.compute.loss_chunks = model::ComputeOptions{}.loss_chunks;
  scenario.training.keep_outputs = false;
  return true;
}

bool checkpoint(Scenario& scenario, model::Checkpointing mode) {
  return scenario.compute.checkpointing != model::Checkpointing::kFull &&
         set(scenario.compute.checkpointing, mode);
}

bool checkpoint_selectively(Scenario& scenario, StrategyChoice&) {
  return checkpoint(scenario, model::Checkpointing::kSelective);
}

bool checkpoint_fully(Scenario& scenario, StrategyChoice&) {
  return checkpoint(scenario, model::Checkpointing::kFull);
}

bool step_in_backward(Scenario& scenario, StrategyChoice&) {
  return set(scenario.training.optimizer.in_backward, true);
}

bool halve_micro_batch(Scenario& scenario, StrategyChoice&) {
  if (scenario.batch.micro_batch % 2 != 0) return false;
  scenario.batch.micro_batch /= 2;
  scenario.training.accumulation *= 2;
  return true;
}

bool shard_more(Scenario&, StrategyChoice& choice) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kNext{
      {{"ddp", "zero1"}, {"zero1", "zero2"}, {"zero2", "zero3"}}};
  for (const auto& [from, to] : kNext) {
    if (choice.strategy != from) continue;
    choice.strategy = to;
    choice.dialect = parallel::find_strategy(to)->dialects.front();
    return true;
  }
  return false;
}

/// Where they are all used already the case comes out the same and saves nothing.
bool use_all_gpus(Scenario& scenario, StrategyChoice&) {
  FabricChoice& fabric = scenario.fabrics.front();
  if (fabric.gpus.empty()) return false;
  fabric.gpus.clear();
  return true;
}

constexpr std::array<Knob, 15> kKnobs{{
    {"expandable_segments", "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True", expand_segments},
    {"fused_optimizer", "step with the fused kernel", fuse_optimizer},
    {"drop_outputs", "do not keep the model's outputs through the step", drop_outputs},
    {"bucket_view", "gradient_as_bucket_view=True", view_buckets},
    {"reduce_bucket", "reduce_bucket_size 5e7 elements", shrink_bucket},
    {"max_live", "max_live_parameters and max_reuse_distance 3e8 elements", live_less},
    {"limit_gathers", "limit_all_gathers=True", limit_gathers},
    {"no_prefetch", "no backward prefetch", no_prefetch},
    {"chunked_loss", "loss in 8 chunks, outputs not kept", chunk_loss},
    {"selective_checkpointing", "selective activation checkpointing", checkpoint_selectively},
    {"full_checkpointing", "full activation checkpointing", checkpoint_fully},
    {"in_backward", "step each tensor as its gradient is ready", step_in_backward},
    {"micro_batch", "half the micro-batch, twice the accumulation", halve_micro_batch},
    {"next_stage", "the next ZeRO stage", shard_more},
    {"all_gpus", "every GPU of the machine", use_all_gpus},
}};

}  // namespace

std::span<const Knob> knobs() {
  return kKnobs;
}

std::vector<KnobResult> try_knobs(const Study& study, const CaseId& id, const CaseResult& base,
                                  const HardwareCatalog& catalog, const ReadText& read) {
  std::vector<KnobResult> results;
  for (const Knob& knob : kKnobs) {
    Scenario scenario = only_case(study.scenario(), id);
    if (!knob.turn(scenario, scenario.strategies.front())) continue;
    Diagnostics refused;  // what is not modelled cannot be offered
    const auto turned = Study::create(std::move(scenario), catalog, read, refused);
    if (!turned) continue;
    const CaseResult result = turned->run(turned->cases().front(), false);
    const Bytes saved = base.memory.needed() - result.memory.needed();
    if (saved > Bytes{}) results.push_back({&knob, result.memory, result.step_time, saved});
  }
  std::stable_sort(results.begin(), results.end(),
                   [](const auto& a, const auto& b) { return a.saved > b.saved; });
  return results;
}

}  // namespace heddle::run
