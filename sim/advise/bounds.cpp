#include "sim/advise/bounds.h"

#include "sim/base/error.h"
#include "sim/model/compute_model.h"

namespace heddle::advise {
namespace {

/// What a forward pass has saved when it ends and backward has yet to free.
Bytes saved_by_forward(const model::Module& module) {
  std::vector<bool> alive(module.saved.size(), false);
  for (const model::Row& row : module.forward) {
    for (const int s : row.saves) alive[static_cast<std::size_t>(s)] = true;
    for (const int s : row.drops) alive[static_cast<std::size_t>(s)] = false;
  }
  Bytes sum;
  for (std::size_t s = 0; s < alive.size(); ++s) {
    const model::Held held = module.saved[s].held;
    const bool stays = held == model::Held::kBackward || held == model::Held::kCheckpoint;
    if (alive[s] && stays) sum += module.saved[s].bytes;
  }
  return sum;
}

/// One after the other, each by itself; casts that some strategies do not need are left out.
Duration kernels_alone(const std::vector<model::Row>& rows, const model::GpuModel& gpu) {
  Duration sum;
  for (const model::Row& row : rows) {
    if (row.kernel.launches > 0 && !row.weight_cast) sum += kernel_time(row.kernel, gpu).duration;
  }
  return sum;
}

std::int64_t dispatches(const model::Module& module) {
  std::int64_t sum = 0;
  for (const auto* rows : {&module.forward, &module.backward}) {
    for (const model::Row& row : *rows) sum += row.weight_cast ? 0 : row.dispatches;
  }
  return sum;
}

/// Whether a step holds all of its own operators' launches.
bool host_issues(const run::Scenario& scenario) {
  return scenario.training.sync_each_step && !scenario.host.cuda_graph;
}

bool accumulates(const Space& space) {
  return std::any_of(space.batches.begin(), space.batches.end(),
                     [](const BatchChoice& batch) { return batch.accumulation > 1; });
}

std::vector<model::Checkpointing> modes_of(const Space& space) {
  std::vector<model::Checkpointing> modes;
  for (const BatchChoice& batch : space.batches) {
    const bool known = std::find(modes.begin(), modes.end(), batch.checkpointing) != modes.end();
    if (!known) modes.push_back(batch.checkpointing);
  }
  return modes;
}

double best_rate(const collective::CollectiveModel& world, schedule::CollectiveKind kind) {
  if (world.refusal(kind)) return 0;
  double best = 0;
  for (const Bytes bytes : {mebibytes(1), mebibytes(32), gibibytes(1), gibibytes(16)}) {
    for (const collective::CollectiveChoice& choice : world.choices({kind, bytes})) {
      best = std::max(best, static_cast<double>(choice.rate.bytes_per_second));
    }
  }
  return best;
}

/// Whether what stays between steps also stays through forward.
bool states_stay(const parallel::TrainingSpec& training) {
  return !training.offload.optimizer && !training.offload.parameters &&
         training.optimizer.kind != parallel::OptimizerKind::kPagedAdamW8bit;
}

/// What needs least of a strategy: one sequence, everything recomputed that can be.
run::Scenario probe_scenario(const Space& space, std::size_t strategy) {
  run::Scenario scenario = scenario_of(space, {0, strategy, 0});
  scenario.batch.micro_batch = 1;
  scenario.training.accumulation = 1;
  for (const BatchChoice& batch : space.batches) {
    if (batch.checkpointing == model::Checkpointing::kFull) {
      scenario.compute.checkpointing = model::Checkpointing::kFull;
    }
  }
  return scenario;
}

}  // namespace

std::optional<run::Study> CaseRunner::study(const run::Scenario& scenario,
                                            std::string& refusal) const {
  Diagnostics problems;
  auto study = run::Study::create(scenario, hardware_, problems);
  if (!study) refusal = first_error(problems);
  return study;
}

std::optional<run::CaseResult> CaseRunner::run(const run::Scenario& scenario,
                                               std::string& refusal) const {
  const auto made = study(scenario, refusal);
  if (!made) return std::nullopt;
  try {
    return made->run(made->cases().front(), false);
  } catch (const Error& error) {  // as a step of more than 106 days
    refusal = error.what();
    return std::nullopt;
  }
}

Bounds::BytesByKind Bounds::traffic_of(const run::CaseResult& result) {
  BytesByKind bytes{};
  if (result.schedule->communicators.size() > 1) return bytes;
  for (const run::TrafficLine& line : result.traffic) {
    bytes[static_cast<std::size_t>(line.kind)] += line.bytes.value;
  }
  return bytes;
}

void Bounds::see_memory(const run::Scenario& scenario, const run::MemoryReport& memory,
                        Probe& probe) {
  using schedule::MemoryCategory;
  probe.resident = memory.resident;
  if (states_stay(scenario.training)) {
    probe.states = memory.at_resident[static_cast<std::size_t>(MemoryCategory::kParameters)] +
                   memory.at_resident[static_cast<std::size_t>(MemoryCategory::kOptimizer)];
  }
  probe.overheads = memory.context + memory.nccl;
  probe.headroom = memory.headroom;
  probe.usable = memory.usable;
}

Bounds::Probe Bounds::probe_of(const Space& space, const CaseRunner& runner, std::size_t strategy) {
  Probe probe;
  run::Scenario scenario = probe_scenario(space, strategy);
  const auto least = runner.run(scenario, probe.refusal);
  if (!least) return probe;
  see_memory(scenario, least->memory, probe);
  for (const model::Checkpointing mode : modes_of(space)) {
    scenario.compute.checkpointing = mode;
    std::string refusal;  // of what the search will not be able to run, either
    scenario.training.accumulation = 1;
    const auto one = runner.run(scenario, refusal);
    if (!one) continue;
    Traffic& traffic = probe.traffic[static_cast<std::size_t>(mode)];
    traffic.first = traffic_of(*one);
    scenario.training.accumulation = 2;
    const auto two = accumulates(space) ? runner.run(scenario, refusal) : std::nullopt;
    if (!two) continue;
    const BytesByKind both = traffic_of(*two);
    for (std::size_t k = 0; k < kKinds; ++k) {
      traffic.second[k] = std::max<std::int64_t>(0, both[k] - traffic.first[k]);
    }
  }
  return probe;
}

Bounds::Batch Bounds::batch_of(const Space& space, const model::GpuModel& gpu,
                               const BatchChoice& choice) {
  model::ComputeOptions compute = space.base.compute;
  compute.checkpointing = choice.checkpointing;
  model::BatchShape shape = space.base.batch;
  shape.micro_batch = choice.micro_batch;
  const model::ModelGraph graph = model::build_model_graph(space.base.model, shape, compute);
  Batch batch{choice.accumulation, static_cast<std::size_t>(choice.checkpointing), {}, {}, {}};
  for (const model::Module& module : graph.modules) {
    batch.kernels += kernels_alone(module.forward, gpu) + kernels_alone(module.backward, gpu);
    batch.host += dispatches(module) * space.base.host.per_dispatch;
    batch.activations += saved_by_forward(module);
  }
  batch.kernels = batch.kernels * choice.accumulation;
  batch.host = host_issues(space.base) ? batch.host * choice.accumulation : Duration{};
  return batch;
}

Bounds::SecondsPerByte Bounds::times_of(const Space& space, const run::FabricChoice& place,
                                        const CaseRunner& runner) {
  SecondsPerByte times{};
  Diagnostics refused;  // its candidates will be, too
  const auto machine = runner.hardware().open(place, space.base.file, refused);
  if (!machine) return times;
  for (const schedule::CollectiveKind kind : schedule::kCollectiveKinds) {
    const double rate = best_rate(machine->world, kind);
    times[static_cast<std::size_t>(kind)] = rate > 0 ? 1 / rate : 0;
  }
  return times;
}

/// The GPU as a study sees it: with its software, captured or not. Without a study nothing can run.
void Bounds::fill_batches(const Space& space, const CaseRunner& runner) {
  for (std::size_t s = 0; s < space.strategies.size(); ++s) {
    if (!probes_[s].refusal.empty()) continue;
    std::string refusal;
    const auto study = runner.study(probe_scenario(space, s), refusal);
    const model::GpuModel& gpu = study->gpu(study->cases().front());
    for (const BatchChoice& choice : space.batches) {
      batches_.push_back(batch_of(space, gpu, choice));
    }
    return;
  }
}

Bounds Bounds::create(const Space& space, const CaseRunner& runner) {
  Bounds bounds;
  for (const run::FabricChoice& place : space.places) {
    bounds.places_.push_back(times_of(space, place, runner));
  }
  for (std::size_t s = 0; s < space.strategies.size(); ++s) {
    bounds.probes_.push_back(probe_of(space, runner, s));
  }
  bounds.fill_batches(space, runner);
  return bounds;
}

Bound Bounds::of(const Candidate& candidate) const {
  const Probe& probe = probes_[candidate.strategy];
  const Batch& batch = batches_[candidate.batch];
  const Traffic& traffic = probe.traffic[batch.mode];
  const SecondsPerByte& times = places_[candidate.place];
  double wires = 0;
  for (std::size_t k = 0; k < kKinds; ++k) {
    const std::int64_t bytes = traffic.first[k] + (batch.accumulation - 1) * traffic.second[k];
    wires += static_cast<double>(bytes) * times[k];
  }
  const Bytes peak = std::max(probe.resident, probe.states + batch.activations);
  // Rounded down: a bound must not lose by its own rounding.
  return {batch.kernels, batch.host, Duration{static_cast<std::int64_t>(wires * 1e12 * (1 - 1e-9))},
          peak + probe.overheads + probe.headroom};
}

bool Bounds::may_fit(const Candidate& candidate, const Bound& bound) const {
  const Probe& probe = probes_[candidate.strategy];
  const Bytes reserved = bound.needed - probe.overheads - probe.headroom;
  return scale(reserved, 1 + run::kMemoryErrors.reserved_expandable) + probe.overheads <=
         probe.usable;
}

}  // namespace heddle::advise
