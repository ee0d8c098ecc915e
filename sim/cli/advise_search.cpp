#include "sim/cli/advise_search.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "sim/base/nearest_name.h"
#include "sim/cli/messages.h"
#include "sim/cli/verb_errors.h"
#include "sim/io/file.h"

namespace heddle::cli {
namespace {

/// The same machine, whatever the job uses of it.
run::FabricChoice machine_of(run::FabricChoice choice) {
  choice.gpus.clear();
  return run::without_place(std::move(choice));
}

std::size_t fabric_of(const run::Scenario& scenario, const std::string& wanted) {
  std::vector<std::string> ids;
  bool one_machine = true;
  for (std::size_t f = 0; f < scenario.fabrics.size(); ++f) {
    const run::FabricChoice& choice = scenario.fabrics[f];
    if (choice.id == wanted) return f;
    ids.push_back(choice.id);
    one_machine = one_machine && machine_of(choice) == machine_of(scenario.fabrics.front());
  }
  if (!wanted.empty()) {
    throw UsageError(
        fmt::format("--fabric: unknown fabric \"{}\"; {}", wanted, suggest_name(wanted, ids)));
  }
  if (one_machine) return 0;
  throw UsageError("the scenario has several machines and advice is about one; add --fabric " +
                   ids.front() + ", or another of its fabrics");
}

}  // namespace

AdviceAnswer find_advice(const AdviseRequest& request, const Environment& env) {
  Diagnostics notes;
  StudyRequest study = request.study;
  if (!request.memory_cap.empty()) {
    set_memory_capacity(study, "--memory-cap", request.memory_cap);
  }
  const run::Scenario scenario = load_scenario(study, notes);
  if (request.objective == advise::Objective::kCost && !scenario.cost) {
    throw UsageError(
        "--objective cost: the scenario has no prices; add \"cost\", or --set "
        "cost.price=\"2.99 EUR/GPU-hour\"");
  }
  const std::size_t fabric = fabric_of(scenario, request.fabric);
  run::MachineShelf shelf(env.catalog, io::read_file);
  Diagnostics problems;
  AdviceAnswer answer;
  auto space = advise::space_of(scenario, fabric, shelf, problems);
  if (!space) throw BadInput(std::move(problems));
  answer.space = std::move(*space);
  const run::Hardware hardware{env.catalog,
                               [&shelf](const run::FabricChoice& choice, const std::string& file,
                                        Diagnostics& out) { return shelf.open(choice, file, out); },
                               env.catalog.content_hash()};
  const advise::CaseRunner runner(answer.space, hardware);
  const advise::Bounds bounds = advise::Bounds::create(answer.space, runner);
  print_diagnostics(notes, Severity::kWarning, env.err);
  const auto machine = shelf.open(answer.space.places.front(), scenario.file, problems);
  answer.machine = machine->fabric.name();
  answer.gpu = machine->gpu.name;
  answer.error = scenario.variation.model_form;
  answer.objective = request.objective;
  answer.advice = search(answer.space, bounds, runner, {request.objective, request.top, true});
  if (answer.advice.best.empty()) {
    answer.nothing_fits = true;
    answer.objective = advise::Objective::kMemory;
    answer.advice =
        search(answer.space, bounds, runner, {advise::Objective::kMemory, request.top, false});
  }
  return answer;
}

}  // namespace heddle::cli
