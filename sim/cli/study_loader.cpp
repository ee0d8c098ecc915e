#include "sim/cli/study_loader.h"

#include <fmt/format.h>

#include "sim/base/units_text.h"
#include "sim/cli/input_file.h"
#include "sim/cli/messages.h"
#include "sim/cli/verb_errors.h"
#include "sim/io/file.h"
#include "sim/io/scenario_reader.h"

namespace heddle::cli {

std::vector<std::pair<std::string, std::string>> split_overrides(
    const std::vector<std::string>& overrides) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& text : overrides) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw UsageError(fmt::format(
          "--set {}: write path=value, for example --set training.micro_batch=2", text));
    }
    pairs.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return pairs;
}

void set_memory_capacity(StudyRequest& request, const std::string& option,
                         const std::string& text) {
  const Parsed<Bytes> parsed = parse_bytes(text);
  if (!parsed.value) {
    throw UsageError(fmt::format("{}: {}; {}", option, parsed.reason, parsed.hint));
  }
  if (*parsed.value == Bytes{}) throw UsageError(option + ": must be above 0 B");
  request.overrides.push_back(fmt::format("memory_capacity=\"{}\"", text));
}

run::Scenario load_scenario(const StudyRequest& request, Diagnostics& notes) {
  const auto overrides = split_overrides(request.overrides);
  const std::string text = read_input(request.file);
  auto scenario = io::read_scenario(text, request.file, overrides, io::read_file, notes);
  if (!scenario) throw BadInput(notes);
  return std::move(*scenario);
}

run::Study load_study(const StudyRequest& request, const Environment& env, Diagnostics& notes) {
  auto study = run::Study::create(load_scenario(request, notes), env.catalog, io::read_file, notes);
  if (!study) throw BadInput(notes);
  return std::move(*study);
}

run::Study load_study(const StudyRequest& request, const Environment& env) {
  Diagnostics notes;
  run::Study study = load_study(request, env, notes);
  print_diagnostics(notes, Severity::kWarning, env.err);
  return study;
}

}  // namespace heddle::cli
