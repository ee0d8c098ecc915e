#include "sim/run/study.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/base/check.h"
#include "sim/base/stable_hash.h"
#include "sim/base/version.h"
#include "sim/engine/executor.h"
#include "sim/model/batch_check.h"
#include "sim/model/compute_check.h"
#include "sim/model/numerics.h"
#include "sim/parallel/strategy.h"
#include "sim/run/case_metrics.h"
#include "sim/run/cost/cost.h"
#include "sim/run/cuda_graph.h"
#include "sim/run/folding.h"

namespace heddle::run {
namespace {

/// GPUs before Ampere do not compute in bf16, those before Volta not in fp16.
void check_precision(const model::GpuModel& gpu, const FabricChoice& choice,
                     const Scenario& scenario, Diagnostics& out) {
  const schedule::DType dtype = model::product_dtype(scenario.compute);
  if (gpu.peak_of(dtype).flops_per_second > 0) return;
  out.error("not-modelled", scenario.file, choice.pointer, choice.line,
            fmt::format("{} does not compute in {}", gpu.name, to_string(dtype)),
            dtype == schedule::DType::kFloat8
                ? "leave training.fp8 out; Hopper, Ada and Blackwell have it"
                : "set training.precision to \"fp32\", or \"autocast_fp16\" from Volta on");
}

/// Per channel a rank has buffers for its ring and tree neighbours: a few, however many ranks there
/// are. Measured with 2 and 4 ranks; from 8 on taken as constant. Further communicators take as
/// much again (0.5 to 0.7 GB each in reports, NVIDIA/nccl issues 864 and 964).
Bytes nccl_buffers(const model::GpuModel& gpu, const schedule::Schedule& schedule) {
  constexpr std::size_t kMostNeighbours = 8;
  std::vector<bool> used(schedule.communicators.size());
  for (const schedule::Collective& c : schedule.collectives) used[c.communicator.index()] = true;
  Bytes sum;
  for (std::size_t c = 0; c < used.size(); ++c) {
    const std::size_t ranks = std::min(schedule.communicators[c].size(), kMostNeighbours);
    if (!used[c] || ranks < 2) continue;
    sum += gpu.nccl_base + gpu.nccl_per_peer * static_cast<std::int64_t>(ranks - 2);
  }
  return sum;
}

MemoryLimits limits_of(const model::GpuModel& gpu, const schedule::Schedule& schedule,
                       const Scenario& scenario) {
  MemoryLimits limits;
  limits.context = gpu.context;
  limits.nccl = nccl_buffers(gpu, schedule);
  limits.capacity = scenario.memory_capacity.value_or(gpu.driver_memory);
  limits.headroom = scale(limits.capacity, scenario.headroom);
  limits.allocator = scenario.allocator.config;
  return limits;
}

parallel::PlanInput plan_input(const model::ModelGraph& graph, const Scenario& scenario,
                               const StrategyChoice& choice, const Machine& machine) {
  return {graph,           scenario.training,
          choice.options,  machine.gpu.cublas_workspace,
          machine.ranks(), ranks_per_node(machine.fabric, machine.members)};
}

/// The machine as the scenario's software uses its GPUs.
bool apply_software(const Scenario& scenario, const HardwareCatalog& catalog, Machine& machine,
                    Diagnostics& out) {
  if (scenario.software.empty()) return true;
  Diagnostics found;
  auto gpu = catalog.with_software(machine.gpu, scenario.software, found);
  for (Diagnostic d : found.all()) {
    if (d.file.empty()) {
      d.file = scenario.file;
      d.pointer = "/software";
    }
    out.add(std::move(d));
  }
  if (gpu) machine.gpu = std::move(*gpu);
  return gpu.has_value();
}

/// Why the strategy does not run on one of the machines, or "".
std::string refusal_of(const parallel::Strategy& strategy, const StrategyChoice& choice,
                       const model::ModelGraph& graph, const Scenario& scenario,
                       const std::vector<Machine>& machines) {
  const std::string problem = parallel::training_problem(scenario.training);
  if (!problem.empty()) return problem;
  for (const Machine& machine : machines) {
    const parallel::PlanInput input = plan_input(graph, scenario, choice, machine);
    std::string reason = strategy.refusal(input);
    if (reason.empty() && scenario.host.cuda_graph) {
      reason = capture_problem(strategy.plan(input), scenario.training);
    }
    if (!reason.empty()) return reason;
  }
  return "";
}

/// What the strategy leaves out is declared like every other assumption.
void add_caveat(const parallel::Strategy& strategy, const StrategyChoice& choice,
                const model::ModelGraph& graph, const std::vector<Machine>& machines,
                Scenario& scenario) {
  if (machines.empty()) return;
  const Machine& machine = machines.front();
  const std::string caveat = strategy.caveat(plan_input(graph, scenario, choice, machine));
  if (caveat.empty()) return;
  scenario.assumptions.push_back(fmt::format("strategy \"{}\": {}", choice.id, caveat));
}

}  // namespace

std::vector<CaseId> expand_cases(const Scenario& scenario) {
  std::vector<CaseId> cases;
  for (std::size_t f = 0; f < scenario.fabrics.size(); ++f) {
    for (std::size_t s = 0; s < scenario.strategies.size(); ++s) {
      cases.push_back({f, s, scenario.fabrics[f].id + "/" + scenario.strategies[s].id});
    }
  }
  return cases;
}

Scenario only_case(const Scenario& scenario, const CaseId& id) {
  Scenario one = scenario;
  one.fabrics = {scenario.fabrics[id.fabric]};
  one.strategies = {scenario.strategies[id.strategy]};
  return one;
}

std::string fingerprint_of(const Scenario& scenario, std::uint64_t hardware_hash) {
  return StableHash()
      .add(kVersion)
      .add(scenario.content_hash)
      .add(hardware_hash)
      .add(scenario.seed)
      .hex();
}

std::optional<Study> Study::create(Scenario scenario, const HardwareCatalog& catalog,
                                   const ReadText& read, Diagnostics& out) {
  const auto open = [&](const FabricChoice& choice, const std::string& file, Diagnostics& found) {
    return resolve_machine(choice, file, catalog, read, found);
  };
  return create(std::move(scenario), Hardware{catalog, open, catalog.content_hash()}, out);
}

std::optional<Study> Study::create(Scenario scenario, const Hardware& hardware, Diagnostics& out) {
  Study study;
  for (const FabricChoice& choice : scenario.fabrics) {
    FabricChoice folded = choice;
    folded.may_fold = true;
    auto machine = hardware.open(folded, scenario.file, out);
    if (!machine || !apply_software(scenario, hardware.catalog, *machine, out)) continue;
    check_precision(machine->gpu, choice, scenario, out);
    if (scenario.host.cuda_graph) machine->gpu = captured(std::move(machine->gpu));
    study.machines_.push_back(std::move(*machine));
  }
  for (const std::string& problem :
       {model::batch_problem(scenario.model, scenario.batch),
        model::scores_problem(scenario.model, scenario.batch, scenario.compute.attention),
        model::compute_problem(scenario.model, scenario.compute)}) {
    if (problem.empty()) continue;
    out.error("not-modelled", scenario.file, "/training", 0, problem);
    return std::nullopt;
  }
  study.graph_ = model::build_model_graph(scenario.model, scenario.batch, scenario.compute);
  for (const StrategyChoice& choice : scenario.strategies) {
    const parallel::StrategyEntry* entry = parallel::find_strategy(choice.strategy);
    HEDDLE_CHECK(entry != nullptr, "strategy names are checked when the scenario is read");
    study.strategies_.push_back(entry->make(choice.dialect));
    const std::string reason =
        refusal_of(*study.strategies_.back(), choice, study.graph_, scenario, study.machines_);
    if (reason.empty()) {
      add_caveat(*study.strategies_.back(), choice, study.graph_, study.machines_, scenario);
      continue;
    }
    out.error("not-modelled", scenario.file, choice.pointer, choice.line,
              fmt::format("strategy \"{}\": {}", choice.id, reason));
  }
  if (out.has_errors()) return std::nullopt;
  study.hardware_hash_ = hardware.hash;
  study.cases_ = expand_cases(scenario);
  study.scenario_ = std::move(scenario);
  if (!study.find_groups(out)) return std::nullopt;
  return study;
}

bool Study::find_groups(Diagnostics& out) {
  for (const CaseId& id : cases_) {
    const StrategyChoice& how = scenario_.strategies[id.strategy];
    const Machine& machine = machines_[id.fabric];
    auto communicators =
        strategies_[id.strategy]->communicators(plan_input(graph_, scenario_, how, machine));
    if (machine.fabric.is_folded()) keep_first_ranks(communicators, machine.members.size());
    auto models =
        group_models(machine, scenario_.fabrics[id.fabric], scenario_.file, communicators, out);
    if (!models) return false;
    groups_.push_back(std::move(*models));
  }
  return true;
}

const GroupModels& Study::groups(const CaseId& id) const {
  return groups_[id.fabric * scenario_.strategies.size() + id.strategy];
}

engine::Platform Study::platform(const CaseId& id) const {
  const Machine& machine = machines_[id.fabric];
  return {machine.fabric, machine.gpu,       groups(id), host_model(scenario_.host),
          machine.speeds, machine.background};
}

std::shared_ptr<const Plan> Study::plan(const CaseId& id) const {
  const Machine& machine = machines_[id.fabric];
  const parallel::PlanInput input =
      plan_input(graph_, scenario_, scenario_.strategies[id.strategy], machine);
  const PlanKey key{id.strategy, input.workspace.value, input.ranks, input.ranks_per_node,
                    machine.members.size()};
  return plans_->get(key, [&] {
    schedule::Schedule schedule = strategies_[id.strategy]->plan(input);
    if (machine.fabric.is_folded()) keep_first_ranks(schedule, machine.members.size());
    return schedule;
  });
}

CaseResult Study::run(const CaseId& id, bool record) const {
  const Machine& machine = machines_[id.fabric];
  const FabricChoice& where = scenario_.fabrics[id.fabric];
  const StrategyChoice& how = scenario_.strategies[id.strategy];
  CaseResult result;
  result.case_id = id.id;
  result.fabric_id = where.id;
  result.fabric_name = machine.fabric.name();
  result.strategy = how.id;
  result.dialect = how.dialect;
  result.gpu = machine.gpu.name;
  result.ranks = machine.ranks();
  const std::shared_ptr<const Plan> planned = plan(id);
  const schedule::Schedule& schedule = planned->schedule;
  result.schedule = {planned, &schedule};
  const MemoryLimits limits = limits_of(machine.gpu, schedule, scenario_);
  result.run = engine::execute(schedule, platform(id),
                               {.fold = true,
                                .record_intervals = record,
                                .replay_allocator = true,
                                .allocator = limits.for_replay(),
                                .memory_limit = limits.for_allocator(),
                                .prepared = &planned->prepared});
  measure({graph_, machine.fabric, machine.gpu, groups(id), host_model(scenario_.host), limits,
           machine.members, machine.speeds, machine.background, scenario_.training.accumulation},
          result);
  if (scenario_.cost) {
    const bool samples = scenario_.model.family == model::Family::kVit;
    result.cost = cost_of(*scenario_.cost, machine.gpu_facts.power, result, samples);
  }
  return result;
}

}  // namespace heddle::run
