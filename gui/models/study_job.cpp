#include "gui/models/study_job.h"

#include <exception>
#include <sstream>
#include <utility>

#include "gui/models/failure.h"
#include "sim/cli/environment.h"

namespace heddle::gui {
namespace {

ResultsPtr run_all(const cli::StudyRequest& request, const run::HardwareCatalog& catalog,
                   const std::stop_token& stop, const JobHooks& hooks, Diagnostics& notes) {
  std::ostringstream unused;
  auto results = std::make_shared<Results>(
      Results{cli::load_study(request, {catalog, "", unused, unused}, notes), {}});
  const auto& cases = results->study.cases();
  const int total = static_cast<int>(cases.size());
  for (const run::CaseId& id : cases) {
    hooks.progressed(static_cast<int>(results->cases.size()), total);
    if (stop.stop_requested()) return nullptr;
    results->cases.push_back(results->study.run(id, true));
  }
  hooks.progressed(total, total);
  return results;
}

}  // namespace

StudyJob::StudyJob(cli::StudyRequest request, const run::HardwareCatalog& catalog, JobHooks hooks)
    : thread_([request = std::move(request), &catalog,
               hooks = std::move(hooks)](const std::stop_token& stop) {
        JobOutcome outcome;
        try {
          outcome.results = run_all(request, catalog, stop, hooks, outcome.diagnostics);
        } catch (...) {
          outcome.diagnostics = explain_failure(std::current_exception(), request.file);
        }
        outcome.cancelled = stop.stop_requested();
        hooks.finished(std::move(outcome));
      }) {}

}  // namespace heddle::gui
