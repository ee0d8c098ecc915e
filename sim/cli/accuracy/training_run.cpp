#include "sim/cli/accuracy/training_run.h"

#include "sim/cli/verb_errors.h"
#include "sim/io/file.h"
#include "sim/io/scenario_reader.h"

namespace heddle::cli::accuracy {

run::Study open_story(const TrainingStory& story, const Environment& env) {
  const io::ReadText read = [&story](const std::string& path) {
    return path == kConfigName ? story.config : io::read_file(path);
  };
  Diagnostics problems;
  auto scenario = io::read_scenario(story.scenario, "scenario.json", {}, read, problems);
  if (!scenario) throw BadInput(std::move(problems));
  auto study = run::Study::create(std::move(*scenario), env.catalog, read, problems);
  if (!study) throw BadInput(std::move(problems));
  return std::move(*study);
}

}  // namespace heddle::cli::accuracy
