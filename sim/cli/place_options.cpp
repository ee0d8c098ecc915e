#include "sim/cli/place_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "sim/cli/input_file.h"
#include "sim/cli/machine_opener.h"
#include "sim/cli/named_option.h"
#include "sim/cli/options.h"
#include "sim/cli/verb_errors.h"
#include "sim/io/gpu_list.h"
#include "sim/io/scenario_limits.h"
#include "sim/run/folding.h"

namespace heddle::cli {
namespace {

void add_ctas_option(CLI::App& verb, const std::string& name, std::optional<int>& ctas,
                     const std::string& help) {
  verb.add_option_function<int>(
          name, [&ctas](const int& count) { ctas = count; }, help)
      ->check(CLI::Range(1, static_cast<int>(io::kMaxCtas)))
      ->type_name("N");
}

std::vector<run::GpuPlace> parse_gpus(const PlaceOptions& options) {
  // What is no list is a slip of the command line; GPUs that cannot be a job are bad input.
  const auto refuse = [](const std::string& code, const std::string& message,
                         const std::string& hint) {
    if (code == "bad-gpu") throw UsageError(fmt::format("--gpus: {}; {}", message, hint));
    Diagnostics problem;
    problem.error(code, "command line", "", 0, message, hint);
    throw BadInput(std::move(problem));
  };
  const run::FabricChoice& place = options.place;
  return io::parse_gpu_list(options.gpus, {place.nodes, place.rank_order}, refuse).gpus;
}

}  // namespace

void add_place_options(CLI::App& verb, PlaceOptions& options) {
  verb.add_option("MACHINE", options.machine,
                  "node preset (heddle list nodes), or a text about it (see heddle import)")
      ->required();
  verb.add_option("--nodes", options.place.nodes, "machines, all alike; default 1")
      ->check(CLI::Range(1, run::kMostWholeNodes))
      ->type_name("N");
  verb.add_option("--network", options.place.network,
                  "what joins the machines (heddle list networks); default: the node's own")
      ->type_name("NETWORK");
  verb.add_option("--gpus", options.gpus,
                  "of every machine, rank 0 first: 0,1,2,3 or 0-7 or all; machine:GPU, as 0:0,1:3")
      ->required()
      ->type_name("LIST");
  add_import_options(verb, options.place.import_gpu, options.place.like_node);
  verb.add_option("--nccl", options.place.nccl_version,
                  "NCCL's version, e.g. 2.18; default: the newest whose constants are known")
      ->type_name("VERSION");
  verb.add_option("--overlay", options.place.overlay,
                  "values found on this machine (heddle list overlays, or a .json file)")
      ->type_name("OVERLAY");
}

void add_comm_options(CLI::App& verb, collective::CommSettings& comm) {
  const auto switches = words_of(io::switches());
  add_named_option(verb, "--p2p", switches, "off: stage through host memory, as NCCL_P2P_DISABLE=1",
                   [&comm](bool on) { comm.p2p = on; });
  add_named_option(verb, "--p2p-level", words_of(io::p2p_levels()),
                   "worst path for peer-to-peer, as NCCL_P2P_LEVEL; default PXB",
                   [&comm](fabric::PathType level) { comm.p2p_level = level; });
  add_named_option(verb, "--shm", switches, "off: no host memory, as NCCL_SHM_DISABLE=1",
                   [&comm](bool on) { comm.shm = on; });
  add_named_option(verb, "--nvls", switches, "off: no in-switch reduction, as NCCL_NVLS_ENABLE=0",
                   [&comm](bool on) { comm.nvls = on; });
  add_named_option(verb, "--algorithm", words_of(io::algorithms()),
                   "instead of NCCL's own choice, as NCCL_ALGO",
                   [&comm](collective::Algorithm algorithm) { comm.algorithm = algorithm; });
  add_named_option(verb, "--protocol", words_of(io::protocols()),
                   "instead of NCCL's own choice, as NCCL_PROTO",
                   [&comm](collective::Protocol protocol) { comm.protocol = protocol; });
  add_ctas_option(verb, "--min-ctas", comm.min_ctas, "as NCCL_MIN_CTAS");
  add_ctas_option(verb, "--max-ctas", comm.max_ctas, "as NCCL_MAX_CTAS");
  add_named_option(verb, "--ring-order", words_of(io::ring_orders()),
                   "rank: one ring in rank order, as Gloo and MPI; default nccl",
                   [&comm](collective::RingOrder order) { comm.ring_order = order; });
}

/// A preset's name, or a text about the machine.
run::Machine open_machine(const PlaceOptions& options, const Environment& env) {
  run::FabricChoice place = options.place;
  place.gpus = parse_gpus(options);
  if (place.overlay.ends_with(".json")) place.overlay_file = place.overlay;
  std::error_code error;
  if (std::filesystem::is_regular_file(options.machine, error)) {
    if (place.is_cluster()) {
      throw UsageError("a text describes one machine; several of it are not modelled");
    }
    place.import_file = place.import_name = options.machine;
  } else {
    place.node = options.machine;
  }
  return resolve_machine(place, "command line", read_input, env);
}

}  // namespace heddle::cli
