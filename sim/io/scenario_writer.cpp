#include "sim/io/scenario_writer.h"

#include <fmt/format.h>

#include "sim/io/comm_writer.h"
#include "sim/io/cost_writer.h"
#include "sim/io/exact_text.h"
#include "sim/io/json_writer.h"
#include "sim/io/option_visitors.h"
#include "sim/io/percent_text.h"
#include "sim/io/scenario_version.h"
#include "sim/io/scenario_words.h"
#include "sim/io/what_if_writer.h"
#include "sim/run/gpu_places.h"

namespace heddle::io {
namespace {

void write_model(JsonWriter& w, const run::Scenario& scenario) {
  w.key("model").begin_object().inline_from_here();
  w.field("name", scenario.model.name).field("config", scenario.model_config);
  if (scenario.model.family == model::Family::kVit) {
    w.field("image_size", scenario.model.image_size);
  }
  if (scenario.model_layers) w.field("layers", scenario.model.layers);
  w.end_object();
}

void write_offload(JsonWriter& w, const parallel::OffloadSpec& offload) {
  if (offload == parallel::OffloadSpec{}) return;
  w.key("offload").begin_object();
  write_options(w, offload);
  w.end_object();
}

void write_lora(JsonWriter& w, const model::LoraOptions& lora) {
  if (lora.rank == 0) return;
  w.key("lora").begin_object().field("rank", lora.rank).key("targets").begin_array();
  for (const std::string& target : lora.targets) w.value(target);
  w.end_array().end_object();
}

void write_training(JsonWriter& w, const run::Scenario& scenario) {
  const parallel::TrainingSpec& training = scenario.training;
  w.key("training").begin_object();
  w.field("micro_batch", scenario.batch.micro_batch);
  if (scenario.model.family != model::Family::kVit) {
    w.field("sequence_length", scenario.batch.sequence);
  }
  w.field("precision", precisions().name_of(scenario.compute.precision));
  w.key("optimizer").begin_object().inline_from_here();
  w.field("type", optimizer_types().name_of(training.optimizer.kind));
  write_options(w, training.optimizer);
  w.end_object();
  write_offload(w, training.offload);
  write_lora(w, scenario.compute.lora);
  write_options(w, training);
  write_options(w, scenario.compute);
  w.field("steps", training.steps).end_object();
}

void write_host(JsonWriter& w, const run::HostChoice& host) {
  w.key("host").begin_object().inline_from_here();
  w.field("per_dispatch", exact_text(host.per_dispatch))
      .field("per_collective", exact_text(host.per_collective))
      .field("run_ahead", host.run_ahead)
      .field("cuda_graph", host.cuda_graph);
  if (host.per_step.ps > 0) w.field("per_step", exact_text(host.per_step));
  w.end_object();
}

void write_variation(JsonWriter& w, const run::VariationChoice& choice) {
  w.key("variation").begin_object();
  write_options(w, choice);
  w.end_object();
}

/// As short as reading gives the same again.
void write_gpus(JsonWriter& w, const run::FabricChoice& choice) {
  if (choice.gpus.empty()) {
    w.field("gpus", "all");
    return;
  }
  w.key("gpus").begin_array();
  if (const auto numbers = run::gpus_on_every_node(choice)) {
    for (const int gpu : *numbers) w.value(gpu);
  } else {
    for (const run::GpuPlace& place : choice.gpus) {
      w.value(fmt::format("{}:{}", place.node, place.gpu));
    }
  }
  w.end_array();
}

void write_places(JsonWriter& w, const run::FabricChoice& choice) {
  if (choice.nodes > 1) w.field("nodes", choice.nodes);
  if (!choice.network.empty()) w.field("network", choice.network);
  write_gpus(w, choice);
  const bool is_spread = choice.gpus.empty() || run::gpus_on_every_node(choice);
  if (choice.nodes > 1 && is_spread) {
    w.field("rank_order", rank_orders().name_of(choice.rank_order));
  }
}

void write_import(JsonWriter& w, const run::FabricChoice& choice) {
  w.key("import").begin_object().field("file", choice.import_name);
  w.field("kind", choice.import_kind);
  if (!choice.import_gpu.empty()) w.field("gpu", choice.import_gpu);
  if (!choice.like_node.empty()) w.field("like", choice.like_node);
  w.end_object();
}

void write_fabric(JsonWriter& w, const run::FabricChoice& choice) {
  w.begin_object().inline_from_here();
  w.field("id", choice.id);
  if (choice.import_file.empty()) {
    w.field("node", choice.node);
  } else {
    write_import(w, choice);
  }
  if (!choice.overlay.empty()) w.field("overlay", choice.overlay);
  write_places(w, choice);
  if (!choice.nccl_version.empty()) w.field("nccl", choice.nccl_version);
  write_comm(w, choice.comm);
  write_what_ifs(w, choice);
  w.end_object();
}

void write_strategy(JsonWriter& w, const run::StrategyChoice& choice) {
  w.begin_object().inline_from_here();
  w.field("id", choice.id).field("strategy", choice.strategy).field("dialect", choice.dialect);
  with_dialect(choice.dialect, choice.options, [&](const auto& options) {
    w.key("options").begin_object();
    write_options(w, options);
    w.end_object();
  });
  w.end_object();
}

}  // namespace

std::string write_scenario(const run::Scenario& scenario) {
  JsonWriter w;
  w.begin_object();
  w.field("schema", kScenarioSchema)
      .field("name", scenario.name)
      .field("description", scenario.description);
  write_model(w, scenario);
  write_training(w, scenario);
  write_host(w, scenario.host);
  if (!scenario.software.empty()) w.field("software", scenario.software);
  if (!scenario.allocator.text.empty()) w.field("allocator", scenario.allocator.text);
  if (scenario.memory_capacity) w.field("memory_capacity", exact_text(*scenario.memory_capacity));
  w.field("headroom", percent_text(scenario.headroom));
  write_variation(w, scenario.variation);
  if (scenario.cost) write_cost(w, *scenario.cost);
  w.field("seed", static_cast<std::int64_t>(scenario.seed));
  w.key("fabrics").begin_array();
  for (const run::FabricChoice& choice : scenario.fabrics) write_fabric(w, choice);
  w.end_array().key("strategies").begin_array();
  for (const run::StrategyChoice& choice : scenario.strategies) write_strategy(w, choice);
  w.end_array().key("assumptions").begin_array();
  for (const std::string& assumption : scenario.assumptions) w.value(assumption);
  w.end_array().end_object();
  return w.take();
}

}  // namespace heddle::io
