#include "sim/advise/space.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "sim/advise/variants.h"
#include "sim/model/compute_check.h"
#include "sim/run/placement.h"

namespace heddle::advise {
namespace {

constexpr std::int64_t kMostAccumulation = 256;  // as scenarios allow
constexpr std::size_t kMostPlaces = 64;

std::vector<BatchChoice> batches_of(const run::Scenario& base) {
  const std::int64_t per_step = base.batch.micro_batch * base.training.accumulation;
  std::vector<model::Checkpointing> modes{base.compute.checkpointing};
  for (const model::Checkpointing mode : {model::Checkpointing::kNone, model::Checkpointing::kFull,
                                          model::Checkpointing::kSelective}) {
    model::ComputeOptions compute = base.compute;
    compute.checkpointing = mode;
    const bool known = std::find(modes.begin(), modes.end(), mode) != modes.end();
    if (!known && model::compute_problem(base.model, compute).empty()) modes.push_back(mode);
  }
  std::vector<BatchChoice> batches;
  for (std::int64_t micro = 1; micro <= per_step; ++micro) {
    const std::int64_t accumulation = per_step / micro;
    if (per_step % micro != 0 || accumulation > kMostAccumulation) continue;
    for (const model::Checkpointing mode : modes) batches.push_back({micro, accumulation, mode});
  }
  return batches;
}

std::vector<run::StrategyChoice> strategies_of(const run::Scenario& base, int machines, int gpus) {
  std::vector<run::StrategyChoice> choices = base.strategies;
  for (const Variant& variant : variants()) {
    if (variant.several_machines && machines < 2) continue;
    if ((variant.strategy == "single") != (gpus == 1)) continue;
    run::StrategyChoice choice = choice_of(variant);
    const bool known = std::any_of(choices.begin(), choices.end(), [&](const auto& other) {
      return other.strategy == choice.strategy && other.dialect == choice.dialect &&
             other.options == choice.options;
    });
    if (known) continue;
    const bool taken = std::any_of(choices.begin(), choices.end(),
                                   [&](const auto& other) { return other.id == choice.id; });
    if (taken) choice.id += "-advised";
    choices.push_back(std::move(choice));
  }
  return choices;
}

fabric::Marks marks_of(const fabric::Fabric& fabric, const run::FabricChoice& choice) {
  fabric::Marks marks(fabric.devices().size(), 0);
  const std::vector<std::int64_t> speeds = fabric::gpu_speeds(fabric, choice.changes);
  for (const fabric::DeviceId gpu : fabric.gpus()) marks[gpu.index()] = kPpb - speeds[gpu.index()];
  return marks;
}

/// The job's own place, then every other that the wiring tells apart, up to kMostPlaces.
std::vector<run::FabricChoice> places_of(const run::FabricChoice& own,
                                         const run::Machine& machine) {
  std::vector<run::FabricChoice> places{own};
  const fabric::Fabric& fabric = machine.fabric;
  if (machine.members.size() == fabric.gpus().size()) return places;
  Diagnostics too_many;  // then the job stays where it is
  const auto found = run::distinct_placements(
      fabric, {static_cast<int>(machine.members.size()), {}, marks_of(fabric, own)}, too_many);
  if (!found) return places;
  std::vector<fabric::DeviceId> own_gpus = machine.members;
  std::sort(own_gpus.begin(), own_gpus.end());
  for (const auto& gpus : found->found) {
    if (gpus == own_gpus || places.size() == kMostPlaces) continue;
    run::FabricChoice place = own;
    place.id = fmt::format("{}-place{}", own.id, places.size());
    place.gpus.clear();
    for (const fabric::DeviceId gpu : gpus) {
      place.gpus.push_back({fabric.device(gpu).node, fabric.device(gpu).index});
    }
    places.push_back(std::move(place));
  }
  return places;
}

}  // namespace

std::optional<Space> space_of(const run::Scenario& scenario, std::size_t fabric,
                              run::MachineShelf& shelf, Diagnostics& out) {
  const run::FabricChoice& own = scenario.fabrics[fabric];
  const auto machine = shelf.open(own, scenario.file, out);
  if (!machine) return std::nullopt;
  Space space{scenario,
              places_of(own, *machine),
              {},
              batches_of(scenario),
              static_cast<int>(machine->members.size())};
  space.strategies = strategies_of(scenario, machine->fabric.node_count(), space.gpus);
  return space;
}

run::Scenario scenario_of(const Space& space, const Candidate& candidate) {
  run::Scenario scenario = space.base;
  const BatchChoice& batch = space.batches[candidate.batch];
  scenario.fabrics = {space.places[candidate.place]};
  scenario.strategies = {space.strategies[candidate.strategy]};
  scenario.batch.micro_batch = batch.micro_batch;
  scenario.training.accumulation = batch.accumulation;
  scenario.compute.checkpointing = batch.checkpointing;
  return scenario;
}

}  // namespace heddle::advise
