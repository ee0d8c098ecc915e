#include "sim/io/scenario_hash.h"

#include <bit>

#include "sim/base/stable_hash.h"
#include "sim/io/comm_writer.h"
#include "sim/io/cost_writer.h"
#include "sim/io/import/detect.h"
#include "sim/io/option_visitors.h"
#include "sim/io/what_if_hash.h"

namespace heddle::io {
namespace {

template <typename Enum>
std::int64_t number(Enum value) {
  return static_cast<std::int64_t>(value);
}

void add_training(const run::Scenario& scenario, StableHash& hash) {
  const parallel::TrainingSpec& training = scenario.training;
  hash.add(scenario.model.image_size);
  hash.add(scenario.batch.micro_batch).add(scenario.batch.sequence);
  hash.add(number(scenario.compute.precision));
  hash_options(hash, training);
  hash.add(number(training.optimizer.kind)).add(number(training.steps));
  hash_options(hash, training.optimizer);
  hash_options(hash, training.offload);
  hash_options(hash, scenario.compute);
  hash.add(scenario.compute.lora.rank);
  for (const std::string& target : scenario.compute.lora.targets)
    hash.add(std::string_view(target));
  hash.add(scenario.host.per_dispatch.ps).add(scenario.host.per_collective.ps);
  hash.add(std::bit_cast<std::uint64_t>(scenario.headroom)).add(scenario.seed);
  if (scenario.host.per_step.ps > 0) hash.add("per_step").add(scenario.host.per_step.ps);
  if (!scenario.software.empty()) hash.add("software").add(std::string_view(scenario.software));
  if (!scenario.allocator.text.empty()) hash.add(std::string_view(scenario.allocator.text));
  if (scenario.memory_capacity) hash.add(scenario.memory_capacity->value);
  if (scenario.host.run_ahead != engine::kRunAhead) hash.add(scenario.host.run_ahead);
  if (scenario.host.cuda_graph) hash.add(std::string_view("cuda_graph"));
  hash_options(hash, scenario.variation);
  if (scenario.cost) hash_cost(hash, *scenario.cost);
  if (scenario.model_layers) hash.add(scenario.model.layers);
}

void add_fabric(const run::FabricChoice& choice, StableHash& hash) {
  hash.add(std::string_view(choice.node)).add(std::string_view(choice.like_node));
  hash.add(std::string_view(choice.overlay));
  if (choice.import_kind != kAnyKind || !choice.import_gpu.empty()) {
    hash.add(std::string_view(choice.import_kind)).add(std::string_view(choice.import_gpu));
  }
  hash_comm(hash, choice.comm);
  if (!choice.nccl_version.empty()) hash.add(std::string_view(choice.nccl_version));
  hash.add(std::string_view(choice.network)).add(number(choice.nodes));
  if (choice.gpus.empty()) hash.add(number(choice.rank_order));  // else it is in the places
  hash.add(std::uint64_t{choice.gpus.size()});
  for (const run::GpuPlace& p : choice.gpus) hash.add(number(p.node)).add(number(p.gpu));
  add_what_ifs(choice, hash);
}

}  // namespace

std::uint64_t scenario_hash(const run::Scenario& scenario, std::span<const std::string> files) {
  StableHash hash;
  add_training(scenario, hash);
  hash.add(std::uint64_t{scenario.fabrics.size()});
  for (const run::FabricChoice& choice : scenario.fabrics) add_fabric(choice, hash);
  hash.add(std::uint64_t{scenario.strategies.size()});
  for (const run::StrategyChoice& choice : scenario.strategies) {
    hash.add(std::string_view(choice.strategy)).add(std::string_view(choice.dialect));
    with_dialect(choice.dialect, choice.options,
                 [&](const auto& options) { hash_options(hash, options); });
  }
  for (const std::string& text : files) hash.add(std::string_view(text));
  return hash.value();
}

}  // namespace heddle::io
