// heddle advise: the best way to run a scenario's job on its machine.

#include <CLI/CLI.hpp>
#include <map>
#include <memory>

#include "sim/cli/advise_search.h"
#include "sim/cli/advise_text.h"
#include "sim/cli/named_option.h"
#include "sim/cli/options.h"
#include "sim/cli/verbs.h"

namespace heddle::cli {
namespace {

constexpr std::size_t kMostAnswers = 100;

struct AdviseOptions {
  AdviseRequest request;
  Format format = Format::kTable;
  std::string output_file;
};

ExitCode run_advise(const AdviseOptions& options, const Environment& env) {
  const AdviceAnswer answer = find_advice(options.request, env);
  emit(options.format == Format::kJson ? advice_json(answer) : advice_text(answer),
       options.output_file, env);
  return answer.advice.best.empty() ? ExitCode::kRunFailed : ExitCode::kDone;
}

void add_objective(CLI::App& verb, advise::Objective& objective) {
  const std::map<std::string, advise::Objective> names{{"time", advise::Objective::kTime},
                                                       {"cost", advise::Objective::kCost},
                                                       {"memory", advise::Objective::kMemory}};
  add_named_option(verb, "--objective", names, "time, cost or memory",
                   [&objective](advise::Objective named) { objective = named; })
      ->type_name("WHAT");
}

}  // namespace

void add_advise(CLI::App& app, const Environment& env, Action& action) {
  auto options = std::make_shared<AdviseOptions>();
  AdviseRequest& request = options->request;
  CLI::App* verb = app.add_subcommand(
      "advise", "find the best strategy, batch split, checkpointing and placement for a job");
  add_study_options(*verb, request.study);
  verb->add_option("--fabric", request.fabric, "which of the scenario's fabrics")->type_name("ID");
  verb->add_option("--memory-cap", request.memory_cap, "of every GPU, e.g. \"80 GB\"")
      ->type_name("BYTES");
  add_objective(*verb, request.objective);
  verb->add_option("--top", request.top, "how many answers")
      ->check(CLI::Range(std::size_t{1}, kMostAnswers))
      ->type_name("N");
  add_format_option(*verb, options->format, false);
  add_output_option(*verb, options->output_file);
  verb->footer("Example: heddle advise scenarios/mistral-7b-4xh200.json --fabric quad");
  verb->callback(
      [&env, &action, options] { action = [&env, options] { return run_advise(*options, env); }; });
}

}  // namespace heddle::cli
