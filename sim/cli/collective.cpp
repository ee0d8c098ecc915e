// heddle collective: a prediction in the shape of nccl-tests' output.

#include <CLI/CLI.hpp>
#include <memory>

#include "sim/cli/options.h"
#include "sim/cli/place_options.h"
#include "sim/cli/sweep_options.h"
#include "sim/cli/sweep_report.h"
#include "sim/cli/verbs.h"

namespace heddle::cli {
namespace {

struct CollectiveOptions {
  PlaceOptions where;
  SweepOptions what;
  Format format = Format::kTable;
  std::string output_file;
};

ExitCode print_sweep(const CollectiveOptions& options, const Environment& env) {
  const run::Machine machine = open_machine(options.where, env);
  check_sweep(options.what, machine);
  const SweepReport report{machine, options.where.place.comm, options.what.kind,
                           sweep(machine.world, options.what.kind, options.what.range)};
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
  add_format_option(*verb, options->format, true);
  add_output_option(*verb, options->output_file);
  verb->footer("Example: heddle collective 8xH200-SXM --gpus 0,1,2,3 --min 1MiB --factor 4");
  verb->callback([&env, &action, options] {
    action = [&env, options] { return print_sweep(*options, env); };
  });
}

}  // namespace heddle::cli
