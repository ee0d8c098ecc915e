// heddle schema: the JSON Schema of scenario files.

#include <CLI/CLI.hpp>

#include "sim/cli/verbs.h"
#include "sim/io/scenario_reader.h"

namespace heddle::cli {

void add_schema(CLI::App& app, const Environment& env, Action& action) {
  CLI::App* verb = app.add_subcommand("schema", "print the JSON Schema of scenario files");
  verb->footer("Example: heddle schema > scenario.schema.json");
  verb->callback([&env, &action] {
    action = [&env] {
      env.out << io::scenario_schema();
      return ExitCode::kDone;
    };
  });
}

}  // namespace heddle::cli
