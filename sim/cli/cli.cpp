#include "sim/cli/cli.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/nearest_name.h"
#include "sim/base/version.h"
#include "sim/cli/exit_code.h"
#include "sim/cli/messages.h"
#include "sim/cli/verb_errors.h"
#include "sim/cli/verbs.h"

namespace heddle::cli {
namespace {

constexpr std::array kVerbs{add_run,       add_explain, add_collective, add_place,  add_import,
                            add_list,      add_schema,  add_check,      add_memory, add_accuracy,
                            add_calibrate, add_replay,  add_export,     add_sweep,  add_advise};

constexpr const char* kFooter =
    "\nExit codes: 0 done, 1 measured and disagrees, 2 usage, 3 bad or missing input file, 4 "
    "unsupported here, 5 could not\ndetermine or measure, 6 cannot write, 7 does not fit (only "
    "with "
    "--fail-on oom), 70 internal error, 130 interrupted.\n"
    "Example: heddle run scenarios/mistral-7b-4xh200.json";

std::vector<std::string> verb_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands(nullptr)) names.push_back(verb->get_name());
  return names;
}

/// CLI11 answers a mistyped verb with "a subcommand is required"; this names it.
void check_verb(const CLI::App& app, int argc, const char* const* argv) {
  if (argc < 2) throw UsageError("no verb given\n" + app.help());
  const std::string word = argv[1];
  const std::vector<std::string> names = verb_names(app);
  if (word.starts_with('-') || std::find(names.begin(), names.end(), word) != names.end()) return;
  throw UsageError(fmt::format("unknown verb \"{}\"; {}", word, suggest_name(word, names)));
}

std::vector<std::string> option_names(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// Verbs let unknown arguments through the parser so that they can be answered with a suggestion.
void refuse_extras(const CLI::App& verb) {
  const std::vector<std::string> extras = verb.remaining();
  if (extras.empty()) return;
  const auto option = std::find_if(extras.begin(), extras.end(),
                                   [](const std::string& text) { return text.starts_with('-'); });
  if (option == extras.end()) {
    throw UsageError(fmt::format("unexpected argument \"{}\"; see heddle {} --help", extras.front(),
                                 verb.get_name()));
  }
  const std::string name = option->substr(0, option->find('='));
  throw UsageError(
      fmt::format("unknown option {}; {}", name, suggest_name(name, option_names(verb))));
}

ExitCode dispatch(int argc, const char* const* argv, const Environment& env,
                  std::span<const AddVerb> more) {
  CLI::App app("Predicts memory and step time of distributed training before it is launched.",
               "heddle");
  app.footer(kFooter);
  app.set_version_flag("--version", "heddle " + std::string(kVersion));
  app.require_subcommand(0, 1);
  Action action;
  for (const AddVerb add : kVerbs) add(app, env, action);
  for (const AddVerb add : more) add(app, env, action);
  for (CLI::App* verb : app.get_subcommands(nullptr)) verb->allow_extras();

  check_verb(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // CLI11 has a status of its own for every kind of error; --help and --version are successes.
    return app.exit(error, env.out, env.err) == 0 ? ExitCode::kDone : ExitCode::kUsage;
  }
  for (const CLI::App* verb : app.get_subcommands()) refuse_extras(*verb);
  return action ? action() : ExitCode::kUsage;
}

ExitCode code_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kCannotRead:
      return ExitCode::kBadInput;
    case ErrorKind::kCannotWrite:
      return ExitCode::kCannotWrite;
    case ErrorKind::kUnsupported:
      return ExitCode::kUnsupported;
    case ErrorKind::kRunFailed:
      return ExitCode::kRunFailed;
  }
  return ExitCode::kInternal;
}

ExitCode guarded(int argc, const char* const* argv, const Environment& env,
                 std::span<const AddVerb> more) {
  try {
    const ExitCode code = dispatch(argc, argv, env, more);
    env.out.flush();
    if (!env.out) throw Error(ErrorKind::kCannotWrite, "cannot write to standard output");
    return code;
  } catch (const UsageError& error) {
    env.err << "heddle: " << error.what() << '\n';
    return ExitCode::kUsage;
  } catch (const BadInput& error) {
    print_diagnostics(error.diagnostics(), Severity::kWarning, env.err);
    return ExitCode::kBadInput;
  } catch (const Error& error) {
    env.err << "heddle: " << error.what() << '\n';
    return code_of(error.kind());
  } catch (const std::exception& error) {
    env.err << "heddle: internal error, please report it: " << error.what() << '\n';
    return ExitCode::kInternal;
  }
}

}  // namespace

int run_cli(int argc, const char* const* argv, const Environment& env,
            std::span<const AddVerb> more) {
  return static_cast<int>(guarded(argc, argv, env, more));
}

}  // namespace heddle::cli
