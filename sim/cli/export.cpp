// heddle export schedule: one case's schedule as a file that another machine can run.

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "sim/base/error.h"
#include "sim/cli/case_selection.h"
#include "sim/cli/options.h"
#include "sim/cli/study_loader.h"
#include "sim/cli/verbs.h"
#include "sim/io/schedule_file.h"

namespace heddle::cli {
namespace {

struct ExportRequest {
  std::string what;
  StudyRequest study;
  Selection selection;
  std::string output_file;
};

ExitCode export_schedule(const ExportRequest& request, const Environment& env) {
  const run::Study study = load_study(request.study, env);
  const auto cases = select_cases(study.scenario(), study.cases(), request.selection);
  const run::CaseId& id = require_one(cases, "export");
  if (study.fabric(id).is_folded()) {
    throw Error(ErrorKind::kUnsupported,
                "a schedule of so many machines is simulated folded, not written rank by rank");
  }
  const run::CaseResult result = study.run(id, false);
  emit(io::write_schedule(*result.schedule, {study.scenario().name, id.id, study.fingerprint()}),
       request.output_file, env);
  return ExitCode::kDone;
}

}  // namespace

void add_export(CLI::App& app, const Environment& env, Action& action) {
  auto request = std::make_shared<ExportRequest>();
  CLI::App* verb = app.add_subcommand("export", "write the schedule of one case as a file");
  verb->add_option("WHAT", request->what, "schedule")
      ->check(CLI::IsMember({"schedule"}))
      ->required();
  add_study_options(*verb, request->study);
  add_selection_options(*verb, request->selection);
  verb->add_option("-o,--output", request->output_file,
                   "write the schedule (heddle.schedule/1) here instead of standard output")
      ->type_name("FILE");
  verb->footer(
      "Example: heddle export schedule scenarios/mistral-7b-4xh200.json --case nvswitch/ddp -o "
      "step.hsched");
  verb->callback([&env, &action, request] {
    action = [&env, request] { return export_schedule(*request, env); };
  });
}

}  // namespace heddle::cli
