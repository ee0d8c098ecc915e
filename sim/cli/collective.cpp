// heddle collective: a prediction in the shape of nccl-tests' output.

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "sim/cli/named_option.h"
#include "sim/cli/options.h"
#include "sim/cli/place_options.h"
#include "sim/cli/sweep_options.h"
#include "sim/cli/sweep_report.h"
#include "sim/cli/sweep_tier.h"
#include "sim/cli/verbs.h"

namespace heddle::cli {
namespace {

struct CollectiveOptions {
  PlaceOptions where;
  SweepOptions what;
  engine::Tier tier = engine::Tier::kClosed;
  Format format = Format::kTable;
  std::string output_file;
};

ExitCode print_sweep(const CollectiveOptions& options, const Environment& env) {
  PlaceOptions where = options.where;
  where.place.comm = settings_of(where.place.comm, options.tier);
  const run::Machine machine = open_machine(where, env);
  check_sweep(options.what, machine);
  std::vector<SweepPoint> points = sweep(machine.world, options.what.kind, options.what.range);
  retime(points, machine, where.place.comm, options.what.kind, options.tier);
  const SweepReport report{machine, where.place.comm, options.what.kind, std::move(points)};
  emit(sweep_text(report, options.format), options.output_file, env);
  return ExitCode::kDone;
}

}  // namespace

void add_collective(CLI::App& app, const Environment& env, Action& action) {
  auto options = std::make_shared<CollectiveOptions>();
  CLI::App* verb =
      app.add_subcommand("collective", "time a collective over message sizes, as nccl-tests does");
  add_place_options(*verb, options->where);
  add_comm_options(*verb, options->where.place.comm);
  add_sweep_options(*verb, options->what);
  std::map<std::string, engine::Tier> tiers;
  for (const engine::Tier tier : engine::kTiers) tiers.emplace(engine::to_string(tier), tier);
  add_named_option(*verb, "--tier", tiers,
                   "closed form, the simulation's fluid network, or rings step by step",
                   [options = options.get()](engine::Tier tier) { options->tier = tier; });
  add_format_option(*verb, options->format, true);
  add_output_option(*verb, options->output_file);
  verb->footer("Example: heddle collective 8xH200-SXM --gpus 0,1,2,3 --min 1MiB --factor 4");
  verb->callback([&env, &action, options] {
    action = [&env, options] { return print_sweep(*options, env); };
  });
}

}  // namespace heddle::cli
