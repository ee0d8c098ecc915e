// heddle explain: why one case's numbers are what they are.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "sim/cli/explain_collective.h"
#include "sim/cli/explain_text.h"
#include "sim/cli/memory_text.h"
#include "sim/cli/options.h"
#include "sim/cli/run_table.h"
#include "sim/cli/verbs.h"
#include "sim/cli/what_if_text.h"

namespace heddle::cli {
namespace {

struct ExplainOptions {
  StudyRequest study;
  Selection selection;
};

std::string section(const std::string& text) {
  return text.empty() ? "" : text + '\n';
}

ExitCode explain(const ExplainOptions& options, const Environment& env) {
  const run::Study study = load_study(options.study, env);
  const auto cases = select_cases(study.scenario(), study.cases(), options.selection);
  const run::CaseId& id = require_one(cases, "explain");
  const run::CaseResult result = study.run(id, false);
  env.out << heading(study)
          << fmt::format("Case {}: {} in the {} dialect on {} x {}\n\n", id.id, result.strategy,
                         result.dialect, result.ranks, result.gpu)
          << memory_text(result) << '\n'
          << explain_time(result) << '\n'
          << explain_host(result) << '\n'
          << explain_traffic(study, id, result) << '\n'
          << section(explain_others(result)) << explain_basis(study, id, *result.schedule) << '\n'
          << basis_text(study, options.study.overrides);
  return ExitCode::kDone;
}

}  // namespace

void add_explain(CLI::App& app, const Environment& env, Action& action) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* verb = app.add_subcommand("explain", "say why one case's numbers are what they are");
  add_study_options(*verb, options->study);
  add_selection_options(*verb, options->selection);
  // A scenario, unless the verb goes on with "collective".
  CLI::Option* file = verb->get_option("FILE");
  file->required(false);
  add_explain_collective(*verb, env, action);
  verb->footer("Example: heddle explain scenarios/mistral-7b-4xh200.json --case nvswitch/zero3");
  verb->callback([&env, &action, options, verb, file] {
    if (!verb->get_subcommands().empty()) return;
    if (file->count() == 0) throw CLI::RequiredError("FILE");
    action = [&env, options] { return explain(*options, env); };
  });
}

}  // namespace heddle::cli
