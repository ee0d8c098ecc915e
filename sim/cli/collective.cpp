// heddle collective: a prediction in the shape of nccl-tests' output.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <map>
#include <memory>

#include "sim/base/units_text.h"
#include "sim/cli/input_file.h"
#include "sim/cli/options.h"
#include "sim/cli/sweep_report.h"
#include "sim/cli/verb_errors.h"
#include "sim/cli/verbs.h"

namespace heddle::cli {
namespace {

using schedule::CollectiveKind;

struct CollectiveOptions {
  std::string machine;
  run::FabricChoice place;
  std::vector<int> gpus;
  CollectiveKind kind = CollectiveKind::kAllReduce;
  SweepRange range;
  Format format = Format::kTable;
  std::string output_file;
};

/// A preset's name, or a file with the wiring, whose parameters then come from --like.
run::Machine open_machine(const CollectiveOptions& options, const Environment& env) {
  run::FabricChoice place = options.place;
  for (const int gpu : options.gpus) place.gpus.push_back({0, gpu});
  if (place.overlay.ends_with(".json")) place.overlay_file = place.overlay;
  std::error_code error;
  if (std::filesystem::is_regular_file(options.machine, error)) {
    if (place.like_node.empty()) {
      throw UsageError(
          "a topology file needs --like NODE for its parameters; see heddle list nodes");
    }
    place.topology_file = place.topology_name = options.machine;
  } else {
    place.node = options.machine;
  }
  Diagnostics problems;
  auto machine = run::resolve_machine(place, "command line", env.catalog, read_input, problems);
  if (!machine) throw BadInput(std::move(problems));
  return std::move(*machine);
}

ExitCode print_sweep(const CollectiveOptions& options, const Environment& env) {
  if (options.range.max < options.range.min) throw UsageError("--max is below --min");
  const run::Machine machine = open_machine(options, env);
  const SweepReport report{machine, options.place.comm, options.kind,
                           sweep(machine.world, options.kind, options.range)};
  emit(sweep_text(report, options.format), options.output_file, env);
  return ExitCode::kDone;
}

void add_size_option(CLI::App& verb, const std::string& name, Bytes& size,
                     const std::string& help) {
  verb.add_option_function<std::string>(
          name,
          [&size, name](const std::string& text) {
            const Parsed<Bytes> parsed = parse_bytes(text);
            if (!parsed.value) {
              const std::string hint = parsed.hint.empty() ? "" : "; " + parsed.hint;
              throw UsageError(fmt::format("{}: {}{}", name, parsed.reason, hint));
            }
            if (parsed.value->value < 1) throw UsageError(name + ": must be at least 1 B");
            size = *parsed.value;
          },
          help)
      ->type_name("SIZE");
}

/// An option with named values, stored as what each name stands for.
template <typename Map, typename Store>
void add_choice(CLI::App& verb, const std::string& name, const Map& values, const std::string& help,
                Store store) {
  verb.add_option_function<std::string>(
          name, [values, store](const std::string& text) { store(values.at(text)); }, help)
      ->check(CLI::IsMember(values))
      ->type_name("NAME");
}

void add_settings(CLI::App& verb, CollectiveOptions& options) {
  std::map<std::string, CollectiveKind> kinds;
  for (const auto kind : {CollectiveKind::kAllReduce, CollectiveKind::kAllGather,
                          CollectiveKind::kReduceScatter, CollectiveKind::kBroadcast}) {
    kinds.emplace(schedule::to_string(kind), kind);
  }
  add_choice(verb, "--collective", kinds, "which one; default all_reduce",
             [&options](CollectiveKind kind) { options.kind = kind; });
  add_choice(verb, "--p2p", std::map<std::string, bool>{{"on", true}, {"off", false}},
             "off: stage through host memory, as NCCL_P2P_DISABLE=1",
             [&options](bool on) { options.place.comm.p2p = on; });
  std::map<std::string, collective::Algorithm> algorithms;
  for (const auto a : {collective::Algorithm::kRing, collective::Algorithm::kNvls}) {
    algorithms.emplace(collective::to_string(a), a);
  }
  add_choice(verb, "--algorithm", algorithms, "instead of NCCL's own choice",
             [&options](collective::Algorithm a) { options.place.comm.algorithm = a; });
}

}  // namespace

void add_collective(CLI::App& app, const Environment& env, Action& action) {
  auto options = std::make_shared<CollectiveOptions>();
  CLI::App* verb =
      app.add_subcommand("collective", "time a collective over message sizes, as nccl-tests does");
  verb->add_option("MACHINE", options->machine,
                   "node preset (heddle list nodes) or a file of nvidia-smi topo -m")
      ->required();
  verb->add_option("--gpus", options->gpus, "GPU numbers, rank 0 first, e.g. 0,1,2,3")
      ->required()
      ->delimiter(',')
      ->type_name("LIST");
  verb->add_option("--like", options->place.like_node,
                   "for a topology file: the node preset whose parameters it shares")
      ->type_name("NODE");
  verb->add_option("--nccl", options->place.nccl_version,
                   "NCCL's version, e.g. 2.18; default: the newest whose constants are known")
      ->type_name("VERSION");
  verb->add_option("--overlay", options->place.overlay,
                   "values found on this machine (heddle list overlays, or a .json file)")
      ->type_name("OVERLAY");
  add_settings(*verb, *options);
  add_size_option(*verb, "--min", options->range.min, "smallest size; default 8B");
  add_size_option(*verb, "--max", options->range.max, "largest size; default 8GiB");
  verb->add_option("--factor", options->range.factor, "between sizes; default 2")
      ->check(CLI::Range(2, 1 << 20))
      ->type_name("N");
  add_format_option(*verb, options->format, true);
  add_output_option(*verb, options->output_file);
  verb->footer("Example: heddle collective 8xH200-SXM --gpus 0,1,2,3 --min 1MiB --factor 4");
  verb->callback([&env, &action, options] {
    action = [&env, options] { return print_sweep(*options, env); };
  });
}

}  // namespace heddle::cli
