// heddle run: every selected case of a scenario, as a table, JSON or CSV, and a trace of one.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "sim/cli/case_selection.h"
#include "sim/cli/cost_table.h"
#include "sim/cli/options.h"
#include "sim/cli/run_table.h"
#include "sim/cli/study_loader.h"
#include "sim/cli/variation_table.h"
#include "sim/cli/verbs.h"
#include "sim/io/result_writer.h"
#include "sim/io/trace_writer.h"
#include "sim/run/variation/vary.h"

namespace heddle::cli {
namespace {

struct RunOptions {
  StudyRequest study;
  Selection selection;
  Format format = Format::kTable;
  std::string trace_file;
  std::string output_file;
  std::string fail_on;
  int draws = 0;
};

std::string answer(const run::Study& study, std::span<const run::CaseId> cases,
                   std::span<const run::CaseResult> results, const RunOptions& options) {
  switch (options.format) {
    case Format::kJson:
      return io::write_result_json(study.scenario(), study.fingerprint(), results);
    case Format::kCsv:
      return io::write_result_csv(results);
    case Format::kTable:
      break;
  }
  return heading(study) + run_table(study, cases, results) + variation_table(study, results) +
         cost_table(study, results) + basis_text(study, options.study.overrides);
}

ExitCode run_cases(const RunOptions& options, const Environment& env) {
  const run::Study study = load_study(options.study, env);
  const auto cases = select_cases(study.scenario(), study.cases(), options.selection);
  const bool tracing = !options.trace_file.empty();
  if (tracing) require_one(cases, "--trace");

  std::vector<run::CaseResult> results;
  // JSON carries the memory timeline, which only a recording run keeps.
  const bool record = tracing || options.format == Format::kJson;
  for (const run::CaseId& id : cases) {
    results.push_back(study.run(id, record));
  }

  if (options.draws > 0) run::vary(study, cases, options.draws, results);

  emit(answer(study, cases, results, options), options.output_file, env);
  if (tracing) emit(io::write_trace(study, results.front()), options.trace_file, env);
  const bool all_fit = std::all_of(results.begin(), results.end(),
                                   [](const run::CaseResult& r) { return r.memory.fits(); });
  return options.fail_on == "oom" && !all_fit ? ExitCode::kDoesNotFit : ExitCode::kDone;
}

}  // namespace

void add_run(CLI::App& app, const Environment& env, Action& action) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* verb = app.add_subcommand("run", "predict memory and step time of every case");
  add_study_options(*verb, options->study);
  add_selection_options(*verb, options->selection);
  add_format_option(*verb, options->format, true);
  add_output_option(*verb, options->output_file);
  verb->add_option("--trace", options->trace_file, "write one run as a trace for Perfetto")
      ->type_name("FILE");
  verb->add_option("--fail-on", options->fail_on, "oom: exit 7 if a run does not fit")
      ->check(CLI::IsMember({"oom"}))
      ->type_name("WHAT");
  verb->add_option("--draws", options->draws,
                   "vary hardware, GPUs and steps so often; show P10, P50 and P90")
      ->check(CLI::Range(1, run::kMostDraws))
      ->type_name("N");
  verb->footer("Example: heddle run scenarios/mistral-7b-4xh200.json --only strategy=ddp,fsdp");
  verb->callback(
      [&env, &action, options] { action = [&env, options] { return run_cases(*options, env); }; });
}

}  // namespace heddle::cli
