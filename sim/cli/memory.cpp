// heddle memory: how much memory a case needs, when and for what, and what would need less.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "sim/base/units_text.h"
#include "sim/cli/memory_text.h"
#include "sim/cli/options.h"
#include "sim/cli/run_table.h"
#include "sim/cli/verb_errors.h"
#include "sim/cli/verbs.h"
#include "sim/io/file.h"

namespace heddle::cli {
namespace {

struct MemoryOptions {
  StudyRequest study;
  Selection selection;
  std::optional<std::string> capacity;
  bool knobs = true;
  std::string output_file;
  Format format = Format::kTable;
};

ExitCode memory_of(MemoryOptions options, const Environment& env) {
  if (options.capacity) set_memory_capacity(options.study, "--capacity", *options.capacity);
  const run::Study study = load_study(options.study, env);
  const auto cases = select_cases(study.scenario(), study.cases(), options.selection);
  const run::CaseId& id = require_one(cases, "memory");
  const run::CaseResult result = study.run(id, false);
  std::vector<run::KnobResult> knobs;
  if (options.knobs) knobs = run::try_knobs(study, id, result, env.catalog, io::read_file);
  const std::string answer =
      options.format == Format::kJson
          ? memory_json(study, result, knobs)
          : heading(study) +
                fmt::format("Case {}: {} in the {} dialect on {} x {}\n\n", id.id, result.strategy,
                            result.dialect, result.ranks, result.gpu) +
                memory_text(result) + '\n' +
                (options.knobs ? knobs_text(result, knobs) + '\n' : "") +
                basis_text(study, options.study.overrides);
  emit(answer, options.output_file, env);
  return ExitCode::kDone;
}

}  // namespace

void add_memory(CLI::App& app, const Environment& env, Action& action) {
  auto options = std::make_shared<MemoryOptions>();
  CLI::App* verb = app.add_subcommand(
      "memory", "say how much memory one case needs, for what, and what would need less");
  add_study_options(*verb, options->study);
  add_selection_options(*verb, options->selection);
  verb->add_option("--capacity", options->capacity, "of every GPU, e.g. \"80 GB\"");
  verb->add_flag("!--no-knobs", options->knobs, "do not try what would need less");
  add_format_option(*verb, options->format, false);
  add_output_option(*verb, options->output_file);
  verb->footer("Example: heddle memory scenarios/mistral-7b-4xh200.json --case nvswitch/zero3");
  verb->callback(
      [&env, &action, options] { action = [&env, options] { return memory_of(*options, env); }; });
}

}  // namespace heddle::cli
