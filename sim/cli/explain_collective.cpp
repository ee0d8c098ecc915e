#include "sim/cli/explain_collective.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "sim/base/units_text.h"
#include "sim/cli/place_options.h"
#include "sim/cli/quantity_text.h"
#include "sim/cli/rings_text.h"
#include "sim/cli/sweep_options.h"
#include "sim/cli/sweep_report.h"
#include "sim/cli/text_table.h"

namespace heddle::cli {
namespace {

using collective::CollectiveChoice;

struct ExplainCollectiveOptions {
  PlaceOptions where;
  SweepOptions what;
};

std::string name_of(const CollectiveChoice& choice) {
  return fmt::format("{} {}", to_string(choice.algorithm), to_string(choice.protocol));
}

/// The one NCCL likes best after the chosen one.
std::optional<CollectiveChoice> runner_up(const std::vector<CollectiveChoice>& all) {
  std::optional<CollectiveChoice> best;
  for (const CollectiveChoice& choice : all) {
    if (!choice.is_chosen && (!best || choice.estimate < best->estimate)) best = choice;
  }
  return best;
}

void add_row(TextTable& table, const run::Machine& machine, schedule::CollectiveKind kind,
             Bytes bytes) {
  const auto all = machine.world.choices({kind, bytes});
  const auto second = runner_up(all);
  for (const CollectiveChoice& choice : all) {
    if (!choice.is_chosen) continue;
    table.add_row(
        {fmt::format("{}", bytes.value), name_of(choice), fmt::format("{}", choice.channels),
         us_text(choice.estimate), us_text(choice.time),
         format_significant(choice.rate.gb_per_second(), 4),
         choice.limiting_link ? machine.fabric.link_name(*choice.limiting_link)
                              : "CTAs or protocol",
         second ? fmt::format("{}, {} us", name_of(*second), us_text(second->estimate)) : "-"});
  }
}

std::string choices_table(const run::Machine& machine, const SweepOptions& what) {
  TextTable table({{"size", "B"},
                   {"NCCL runs", "", Align::kLeft},
                   {"CTAs", ""},
                   {"its estimate", "us"},
                   {"ours", "us"},
                   {"rate", "GB/s"},
                   {"rate limited by", "", Align::kLeft},
                   {"next best", "", Align::kLeft}});
  for (const Bytes size : sizes_of(what.range)) add_row(table, machine, what.kind, size);
  return table.render(2);
}

ExitCode explain_collective(const ExplainCollectiveOptions& options, const Environment& env) {
  const run::Machine machine = open_machine(options.where, env);
  check_sweep(options.what, machine);
  const collective::RingFacts facts = machine.world.ring_facts();
  env.out << sweep_title(machine, options.where.place.comm, options.what.kind) << '\n';
  if (machine.world.size() < 2) {
    env.out << "A single GPU sends nothing\n";
    return ExitCode::kDone;
  }
  env.out << "Rings that NCCL's search finds\n"
          << rings_text(machine.world)
          << fmt::format(
                 "  {} channels, {} CTAs, {} on the bus by NCCL's figures; worst hop {}\n\n",
                 facts.channels, facts.ctas, format_bandwidth(facts.nominal_bus),
                 to_string(facts.transport))
          << "Choice by size\n"
          << choices_table(machine, options.what);
  return ExitCode::kDone;
}

}  // namespace

void add_explain_collective(CLI::App& explain, const Environment& env, Action& action) {
  auto options = std::make_shared<ExplainCollectiveOptions>();
  options->what.range.factor = 16;
  CLI::App* verb = explain.add_subcommand(
      "collective", "rings found on a machine, and what NCCL would run at each size");
  add_place_options(*verb, options->where);
  add_comm_options(*verb, options->where.place.comm);
  add_sweep_options(*verb, options->what);
  verb->footer("Example: heddle explain collective 8xH200-NVL --gpus 0,1,4,5");
  verb->callback([&env, &action, options] {
    action = [&env, options] { return explain_collective(*options, env); };
  });
}

}  // namespace heddle::cli
