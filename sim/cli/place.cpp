// heddle place: where a job of K GPUs should land, by predicted step time.

#include <CLI/CLI.hpp>
#include <memory>

#include "sim/cli/options.h"
#include "sim/cli/place_report.h"
#include "sim/cli/place_search.h"
#include "sim/cli/verbs.h"

namespace heddle::cli {
namespace {

struct PlaceOptions {
  StudyRequest study;
  PlaceRequest place;
  Format format = Format::kTable;
  std::string output_file;
};

ExitCode place(const PlaceOptions& options, const Environment& env) {
  const PlaceAnswer answer = find_places(options.study, options.place, env);
  emit(options.format == Format::kJson ? place_json(answer) : place_table(answer),
       options.output_file, env);
  return ExitCode::kDone;
}

}  // namespace

void add_place(CLI::App& app, const Environment& env, Action& action) {
  auto options = std::make_shared<PlaceOptions>();
  CLI::App* verb =
      app.add_subcommand("place", "rank where a job of K GPUs can land, by predicted step time");
  add_study_options(*verb, options->study);
  verb->add_option("--gpus", options->place.count, "how many GPUs the job takes")
      ->required()
      ->check(CLI::PositiveNumber)
      ->type_name("K");
  verb->add_option("--busy", options->place.busy,
                   "GPUs that others use, e.g. 0,3,5; NODE:GPU on clusters")
      ->delimiter(',')
      ->type_name("LIST");
  verb->add_option("--fabric", options->place.fabric,
                   "which of the scenario's fabrics; default: every different machine")
      ->type_name("ID");
  add_format_option(*verb, options->format, false);
  add_output_option(*verb, options->output_file);
  verb->footer(
      "What-ifs are changes of the scenario's fabric, e.g. a link down or a slow GPU.\n"
      "Example: heddle place scenarios/mistral-7b-4xh200.json --gpus 4 --fabric quad --busy 0,5");
  verb->callback(
      [&env, &action, options] { action = [&env, options] { return place(*options, env); }; });
}

}  // namespace heddle::cli
