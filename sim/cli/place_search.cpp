#include "sim/cli/place_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/base/nearest_name.h"
#include "sim/cli/machine_opener.h"
#include "sim/cli/messages.h"
#include "sim/cli/run_table.h"
#include "sim/cli/sweep.h"
#include "sim/cli/verb_errors.h"
#include "sim/io/file.h"
#include "sim/io/gpu_words.h"
#include "sim/run/machine.h"
#include "sim/run/machine_shelf.h"
#include "sim/run/placement.h"

namespace heddle::cli {
namespace {

/// The same machine, whatever the job uses of it.
run::FabricChoice machine_of(run::FabricChoice choice) {
  choice.gpus.clear();
  return run::without_place(std::move(choice));
}

void keep_machines(run::Scenario& scenario, const std::string& wanted) {
  std::vector<run::FabricChoice> kept;
  std::vector<std::string> ids;
  for (const run::FabricChoice& choice : scenario.fabrics) {
    ids.push_back(choice.id);
    if (!wanted.empty() && choice.id != wanted) continue;
    const bool known = std::any_of(kept.begin(), kept.end(), [&](const run::FabricChoice& other) {
      return machine_of(other) == machine_of(choice);
    });
    if (!known) kept.push_back(choice);
  }
  if (kept.empty()) {
    throw UsageError(
        fmt::format("--fabric: unknown fabric \"{}\"; {}", wanted, suggest_name(wanted, ids)));
  }
  scenario.fabrics = std::move(kept);
}

run::Study make_study(run::Scenario scenario, const Environment& env) {
  Diagnostics problems;
  auto study = run::Study::create(std::move(scenario), env.catalog, io::read_file, problems);
  if (!study) throw BadInput(std::move(problems));
  return std::move(*study);
}

std::vector<fabric::DeviceId> find_busy(const fabric::Fabric& fabric,
                                        const std::vector<std::string>& busy) {
  std::vector<fabric::DeviceId> found;
  for (const std::string& text : busy) {
    const auto word = io::parse_gpu_word(text);
    const auto gpu = word && word->first == word->last
                         ? run::find_gpu(fabric, {word->node.value_or(0), word->first})
                         : std::nullopt;
    if (!gpu) {
      throw UsageError(
          fmt::format("--busy: {} has no GPU \"{}\"; write numbers like 0,3,5, or "
                      "NODE:GPU on a cluster",
                      fabric.name(), text));
    }
    found.push_back(*gpu);
  }
  return found;
}

/// Slow GPUs are not like the others.
fabric::Marks marks_of(const fabric::Fabric& fabric, const run::FabricChoice& choice) {
  fabric::Marks marks(fabric.devices().size(), 0);
  if (choice.changes.empty()) return marks;
  const std::vector<std::int64_t> speeds = fabric::gpu_speeds(fabric, choice.changes);
  for (const fabric::DeviceId gpu : fabric.gpus()) {
    marks[gpu.index()] = kPpb - speeds[gpu.index()];
  }
  return marks;
}

/// A copy of `choice` for each placement on its machine.
void add_choices(const run::FabricChoice& choice, const fabric::Fabric& fabric,
                 const PlaceRequest& request, PlaceAnswer& answer,
                 std::vector<run::FabricChoice>& choices) {
  const run::PlacementRequest wanted{request.count, find_busy(fabric, request.busy),
                                     marks_of(fabric, choice)};
  Diagnostics problems;
  const auto placements = run::distinct_placements(fabric, wanted, problems);
  if (!placements) throw UsageError("--gpus: " + problems.all().front().message);
  answer.complete = answer.complete && placements->complete;
  for (const auto& gpus : placements->found) {
    Place place{choice.id, fabric.name(), {}, fabric.node_count() == 1, 0};
    for (const fabric::DeviceId gpu : gpus) {
      place.gpus.push_back({fabric.device(gpu).node, fabric.device(gpu).index});
    }
    choices.push_back(choice);
    choices.back().id = fmt::format("place{}", choices.size());
    choices.back().gpus = place.gpus;
    answer.places.push_back(std::move(place));
  }
}

void run_all(const run::Study& study, const PlaceRequest& request, PlaceAnswer& answer) {
  for (const run::CaseId& id : study.cases()) {
    if (request.go_on && !request.go_on(answer.ranked.size(), study.cases().size())) break;
    if (id.strategy == 0) {  // the wires are the same for all of them
      constexpr auto kKind = schedule::CollectiveKind::kAllReduce;
      answer.places[id.fabric].busbw_gb = sweep_point(study.world(id), kKind, kPlaceBytes).busbw_gb;
    }
    const run::CaseResult result = study.run(id, false);
    answer.ranked.push_back({id.fabric, result.strategy, result.step_time, result.memory.needed(),
                             result.memory.fits(), result.bound_by});
  }
  std::stable_sort(
      answer.ranked.begin(), answer.ranked.end(),
      [](const RankedPlace& a, const RankedPlace& b) { return a.step_time < b.step_time; });
}

}  // namespace

PlaceAnswer find_places(const StudyRequest& request, const PlaceRequest& place,
                        const Environment& env) {
  Diagnostics notes;
  run::Scenario scenario = load_scenario(request, notes);
  keep_machines(scenario, place.fabric);
  PlaceAnswer answer;
  std::vector<run::FabricChoice> choices;
  for (const run::FabricChoice& choice : scenario.fabrics) {
    const run::Machine machine = resolve_machine(choice, scenario.file, io::read_file, env);
    add_choices(choice, machine.fabric, place, answer, choices);
  }
  print_diagnostics(notes, Severity::kWarning, env.err);
  scenario.fabrics = std::move(choices);
  const run::Study study = make_study(std::move(scenario), env);
  answer.scenario = study.scenario().name;
  answer.heading = heading(study);
  answer.count = place.count;
  answer.busy = place.busy;
  answer.basis = basis_text(study, request.overrides);
  run_all(study, place, answer);
  return answer;
}

}  // namespace heddle::cli
