#include "sim/cli/accuracy/outcomes.h"

#include "sim/cli/case_selection.h"
#include "sim/cli/machine_opener.h"
#include "sim/io/file.h"

namespace heddle::cli::accuracy {
namespace {

double layer_copies(const model::ModelGraph& graph) {
  // What is alive after one layer's forward: its output, too.
  Bytes saved{graph.spec.hidden * graph.tokens * model::weight_bytes(graph.compute.precision)};
  for (const model::SavedTensor& tensor : graph.modules[1].saved) saved += tensor.bytes;
  return static_cast<double>(saved.value) /
         static_cast<double>(2 * graph.spec.hidden * graph.tokens);
}

std::string key_of(const StudyRequest& study) {
  std::string key = study.file;
  for (const std::string& text : study.overrides) key += '\n' + text;
  return key;
}

}  // namespace

const run::Study& Outcomes::open(const StudyRequest& study) {
  const std::string key = key_of(study);
  if (const auto found = studies_.find(key); found != studies_.end()) return found->second;
  StudyRequest request = study;
  request.file = env_.home + "/scenarios/" + study.file;
  return studies_.emplace(key, load_study(request, env_)).first->second;
}

const Outcome& Outcomes::of(const StudyRequest& study, const std::string& case_id) {
  const std::string key = key_of(study) + "\n\n" + case_id;
  if (const auto found = outcomes_.find(key); found != outcomes_.end()) return found->second;
  const run::Study& ready = open(study);
  const run::Scenario& scenario = ready.scenario();
  const run::CaseId id = select_cases(scenario, ready.cases(), {"", case_id}).front();
  const run::CaseResult result = ready.run(id, false);
  const auto graph = model::build_model_graph(scenario.model, scenario.batch, scenario.compute);
  const Outcome outcome{result.memory,
                        result.samples_per_second,
                        graph.param_count(),
                        result.ranks,
                        scenario.allocator.config.expandable_segments,
                        layer_copies(graph)};
  return outcomes_.emplace(key, outcome).first->second;
}

std::vector<std::string> Outcomes::assumptions(const StudyRequest& study) {
  return open(study).scenario().assumptions;
}

run::Machine Outcomes::machine(const run::FabricChoice& place) const {
  return resolve_machine(place, place.node, io::read_file, env_);
}

}  // namespace heddle::cli::accuracy
