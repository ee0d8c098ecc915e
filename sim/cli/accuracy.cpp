// heddle accuracy: predicted against measured for a file of anchors.

#include <CLI/CLI.hpp>
#include <memory>

#include "sim/cli/accuracy/report.h"
#include "sim/cli/input_file.h"
#include "sim/cli/options.h"
#include "sim/cli/verb_errors.h"
#include "sim/cli/verbs.h"
#include "sim/io/file.h"

namespace heddle::cli {
namespace {

struct AccuracyOptions {
  std::string file;
  std::string output_file;
  Format format = Format::kTable;
};

ExitCode accuracy_of(const AccuracyOptions& options, const Environment& env) {
  Diagnostics problems;
  const auto anchors = accuracy::read_anchors(read_input(options.file), options.file, problems);
  const std::string plan_file = env.home + "/scenarios/accuracy/anchors.json";
  const auto plan = accuracy::read_plan(io::read_file(plan_file), plan_file, problems);
  if (!anchors || !plan) throw BadInput(std::move(problems));
  accuracy::Outcomes outcomes(env);
  const accuracy::Score score = accuracy::score(*anchors, *plan, outcomes);
  emit(options.format == Format::kJson ? score_json(score) : score_table(score),
       options.output_file, env);
  return ExitCode::kDone;
}

}  // namespace

void add_accuracy(CLI::App& app, const Environment& env, Action& action) {
  auto options = std::make_shared<AccuracyOptions>();
  CLI::App* verb =
      app.add_subcommand("accuracy", "compare predictions with a file of measured anchors");
  verb->add_option("FILE", options->file, "measured anchors, JSON")->required();
  add_format_option(*verb, options->format, false);
  add_output_option(*verb, options->output_file);
  verb->footer(
      "How each anchor is predicted is data: scenarios/accuracy/anchors.json.\n"
      "Example: heddle accuracy anchors.json --format json");
  verb->callback([&env, &action, options] {
    action = [&env, options] { return accuracy_of(*options, env); };
  });
}

}  // namespace heddle::cli
