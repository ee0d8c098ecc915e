// heddle check: everything that can be said about a scenario without running it.

#include <CLI/CLI.hpp>
#include <memory>

#include "sim/cli/messages.h"
#include "sim/cli/options.h"
#include "sim/cli/verb_errors.h"
#include "sim/cli/verbs.h"
#include "sim/io/training_import/decision_text.h"

namespace heddle::cli {
namespace {

/// What became of every key of the configuration files that strategies were read from.
void print_decisions(const run::Scenario& scenario, const Environment& env) {
  for (const run::StrategyChoice& choice : scenario.strategies) {
    for (const std::string& text : io::decision_texts(choice)) env.out << "  " << text << '\n';
  }
}

ExitCode check(const StudyRequest& request, const Environment& env) {
  Diagnostics found;
  ExitCode code = ExitCode::kDone;
  try {
    const run::Study study = load_study(request, env, found);
    env.out << request.file << ": " << study.cases().size() << " runs, "
            << "fingerprint " << study.fingerprint() << '\n';
    print_decisions(study.scenario(), env);
  } catch (const BadInput& problem) {
    found = problem.diagnostics();
    code = ExitCode::kBadInput;
  }
  print_diagnostics(found, Severity::kNote, env.err);
  env.out << request.file << ": " << count_text(found) << '\n';
  return code;
}

}  // namespace

void add_check(CLI::App& app, const Environment& env, Action& action) {
  auto request = std::make_shared<StudyRequest>();
  CLI::App* verb = app.add_subcommand("check", "report every problem of a scenario, run nothing");
  add_study_options(*verb, *request);
  verb->footer("Example: heddle check my-scenario.json");
  verb->callback(
      [&env, &action, request] { action = [&env, request] { return check(*request, env); }; });
}

}  // namespace heddle::cli
