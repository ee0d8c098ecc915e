// heddle sweep: a scenario at every combination of values, a line per case.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <thread>

#include "sim/cli/grid_sweep.h"
#include "sim/cli/named_option.h"
#include "sim/cli/options.h"
#include "sim/cli/verbs.h"

namespace heddle::cli {
namespace {

constexpr int kMostJobs = 1024;

void add_line_format(CLI::App& verb, sweep::LineFormat& format) {
  const std::map<std::string, sweep::LineFormat> names{{"jsonl", sweep::LineFormat::kJsonLines},
                                                       {"csv", sweep::LineFormat::kCsv}};
  add_named_option(verb, "--format", names, "jsonl or csv",
                   [&format](sweep::LineFormat named) { format = named; });
}

}  // namespace

void add_sweep(CLI::App& app, const Environment& env, Action& action) {
  auto options = std::make_shared<GridSweepOptions>();
  options->jobs = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  CLI::App* verb =
      app.add_subcommand("sweep", "run a scenario at every combination of values, a line per case");
  add_study_options(*verb, options->study);
  add_selection_options(*verb, options->selection);
  verb->add_option("--vary", options->vary,
                   "values as --set takes them: PATH=A,B,C, or PATH=FROM:TO:COUNT; may repeat")
      ->required()
      ->allow_extra_args(false)
      ->type_name("PATH=VALUES");
  verb->add_option("--where", options->where,
                   "keep these rows, e.g. \"step_time < 200 ms and verdict == fits\"")
      ->type_name("EXPR");
  verb->add_option("--pareto", options->pareto,
                   "keep rows that no other beats in all of these, e.g. step_time,memory")
      ->type_name("COLUMNS");
  verb->add_option("--jobs", options->jobs, "threads; the answer does not depend on it")
      ->check(CLI::Range(1, kMostJobs))
      ->type_name("N");
  add_line_format(*verb, options->format);
  CLI::Option* output = verb->add_option("-o,--output", options->output_file,
                                         "write lines here instead of standard output");
  output->type_name("FILE");
  verb->add_option("--resume", options->resume_file,
                   "write lines here, going on behind those of the same sweep")
      ->excludes(output)
      ->type_name("FILE");
  verb->footer(
      "Example: heddle sweep scenarios/mistral-7b-4xh200.json --only fabric=nvswitch\n"
      "           --vary training.micro_batch=1,2,4 --vary training.accumulation=1:4:4");
  verb->callback([&env, &action, options] {
    action = [&env, options] { return run_grid_sweep(*options, env); };
  });
}

}  // namespace heddle::cli
