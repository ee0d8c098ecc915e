// Any bytes as a training configuration, JSON or YAML: never a crash, never an exception, and
// either a strategy of the table or at least one error. What follows a zero byte is served as every
// file that the configuration names.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/check.h"
#include "sim/io/json_document.h"
#include "sim/io/training_import/training_kinds.h"
#include "sim/parallel/strategy.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = input.find('\0');
  bool first = true;
  const heddle::io::ReadText read = [&](const std::string&) {
    const bool is_config = first || end == std::string_view::npos;
    first = false;
    return std::string(is_config ? input.substr(0, end) : input.substr(end + 1));
  };
  heddle::Diagnostics problems;
  heddle::run::Scenario scenario;
  const std::string file = "scenario.json";
  heddle::io::ScenarioFiles files(file, read, problems);
  heddle::io::ScenarioSettings settings(std::nullopt, scenario, problems);
  heddle::io::ImportContext context{4096, settings, files, problems};
  const auto at = heddle::io::JsonDocument::parse("\"config\"", file, problems);
  const heddle::io::TrainingSetup setup =
      heddle::io::import_training("config", at->root(), context);
  HEDDLE_CHECK(setup.strategy.empty() == problems.has_errors(), "neither a strategy nor an error");
  HEDDLE_CHECK(setup.strategy.empty() || heddle::parallel::find_strategy(setup.strategy) != nullptr,
               "a strategy that is not in the table");
  return 0;
}
