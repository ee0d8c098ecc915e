// heddle list: the names that scenarios may use.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <array>
#include <memory>

#include "sim/cli/model_list.h"
#include "sim/cli/text_table.h"
#include "sim/cli/verbs.h"
#include "sim/parallel/strategy.h"

namespace heddle::cli {
namespace {

using Rows = std::vector<run::CatalogEntry>;

Rows strategy_rows() {
  Rows rows;
  for (const parallel::StrategyEntry& entry : parallel::strategies()) {
    rows.push_back({entry.name, fmt::format("{} (dialects: {})", entry.summary,
                                            fmt::join(entry.dialects, ", "))});
  }
  return rows;
}

struct Subject {
  const char* name;
  const char* help;
  Rows (*rows)(const Environment&);
};

constexpr std::array<Subject, 7> kSubjects{{
    {"gpus", "GPUs of hw_models", [](const Environment& env) { return env.catalog.gpus(); }},
    {"nodes", "node presets of hw_models", [](const Environment& e) { return e.catalog.nodes(); }},
    {"networks", "what joins several nodes",
     [](const Environment& env) { return env.catalog.networks(); }},
    {"software", "what kernels of a software generation achieve",
     [](const Environment& env) { return env.catalog.software(); }},
    {"overlays", "values found on one machine",
     [](const Environment& env) { return env.catalog.overlays(); }},
    {"models", "models with a config.json in scenarios/models",
     [](const Environment& env) { return list_models(env.home + "/scenarios/models"); }},
    {"strategies", "sharding strategies and their dialects",
     [](const Environment&) { return strategy_rows(); }},
}};

ExitCode list(const Subject& subject, const Environment& env) {
  TextTable table({{subject.name, "", Align::kLeft}, {"", "", Align::kLeft}});
  for (const run::CatalogEntry& entry : subject.rows(env)) {
    table.add_row({entry.name, entry.summary});
  }
  env.out << table.render(0);
  return ExitCode::kDone;
}

}  // namespace

void add_list(CLI::App& app, const Environment& env, Action& action) {
  auto what = std::make_shared<std::string>();
  CLI::App* verb = app.add_subcommand("list", "list the names that scenarios may use");
  std::vector<std::string> names;
  std::string help;
  for (const Subject& s : kSubjects) {
    names.emplace_back(s.name);
    help += fmt::format("{}{}: {}", help.empty() ? "" : "; ", s.name, s.help);
  }
  verb->add_option("WHAT", *what, help)->required()->check(CLI::IsMember(names));
  verb->footer("Example: heddle list nodes");
  verb->callback([&env, &action, what] {
    action = [&env, what] {
      for (const Subject& s : kSubjects) {
        if (*what == s.name) return list(s, env);
      }
      return ExitCode::kUsage;
    };
  });
}

}  // namespace heddle::cli
