// heddle accuracy: predicted against measured for a file of records.

#include <CLI/CLI.hpp>
#include <memory>

#include "sim/cli/accuracy/record_kinds.h"
#include "sim/cli/input_file.h"
#include "sim/cli/options.h"
#include "sim/cli/verbs.h"

namespace heddle::cli {
namespace {

struct AccuracyOptions {
  std::string file;
  std::string output_file;
  std::string record;
  bool summary = false;
  Format format = Format::kTable;
};

ExitCode accuracy_of(const AccuracyOptions& options, const Environment& env) {
  const accuracy::RecordFile file{options.file, read_input(options.file),
                                  options.format == Format::kJson, options.record, options.summary};
  emit(accuracy::judge(file, env), options.output_file, env);
  return ExitCode::kDone;
}

}  // namespace

void add_accuracy(CLI::App& app, const Environment& env, Action& action) {
  auto options = std::make_shared<AccuracyOptions>();
  CLI::App* verb =
      app.add_subcommand("accuracy", "compare predictions with a file of measurements");
  verb->add_option("FILE", options->file, "measured anchors, collectives, memory or training, JSON")
      ->required();
  add_format_option(*verb, options->format, false);
  add_output_option(*verb, options->output_file);
  verb->add_flag("--summary", options->summary, "training records: statistics only, as a table");
  verb->add_option("--record", options->record,
                   "the full story of one training record: scenario, assumptions, time, memory");
  verb->footer(
      "How records are predicted is data: scenarios/accuracy/.\n"
      "Example: heddle accuracy anchors.json --format json");
  verb->callback([&env, &action, options] {
    action = [&env, options] { return accuracy_of(*options, env); };
  });
}

}  // namespace heddle::cli
