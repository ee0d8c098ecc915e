#pragma once
// The verbs of the simulation. Each lives in its own file, adds its options to the parser and says
// what to do once the whole command line has been accepted. Adding one: a file and a line in
// cli.cpp's table.

#include <functional>

#include "sim/cli/environment.h"
#include "sim/cli/exit_code.h"

namespace CLI {
class App;
}

namespace heddle::cli {

using Action = std::function<ExitCode()>;
using AddVerb = void (*)(CLI::App&, const Environment&, Action&);

void add_run(CLI::App& app, const Environment& env, Action& action);
void add_explain(CLI::App& app, const Environment& env, Action& action);
void add_collective(CLI::App& app, const Environment& env, Action& action);
void add_import(CLI::App& app, const Environment& env, Action& action);
void add_list(CLI::App& app, const Environment& env, Action& action);
void add_schema(CLI::App& app, const Environment& env, Action& action);
void add_check(CLI::App& app, const Environment& env, Action& action);
void add_place(CLI::App& app, const Environment& env, Action& action);
void add_memory(CLI::App& app, const Environment& env, Action& action);
void add_accuracy(CLI::App& app, const Environment& env, Action& action);
void add_replay(CLI::App& app, const Environment& env, Action& action);
void add_calibrate(CLI::App& app, const Environment& env, Action& action);
void add_export(CLI::App& app, const Environment& env, Action& action);
void add_sweep(CLI::App& app, const Environment& env, Action& action);
void add_advise(CLI::App& app, const Environment& env, Action& action);

}  // namespace heddle::cli
