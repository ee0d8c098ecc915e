#pragma once
// A machine and a group of its GPUs named on the command line, with what NCCL is forced to do.

#include <string>

#include "sim/cli/environment.h"
#include "sim/run/machine.h"
#include "sim/run/scenario.h"

namespace CLI {
class App;
}

namespace heddle::cli {

struct PlaceOptions {
  std::string machine;  // preset, or a text about it
  run::FabricChoice place;
  std::string gpus;  // "0-7", "all", "0:0,1:3"
};

/// MACHINE, --nodes, --network, --gpus, --gpu, --like, --nccl and --overlay.
void add_place_options(CLI::App& verb, PlaceOptions& options);
/// --p2p, --algorithm and the rest of collective::CommSettings.
void add_comm_options(CLI::App& verb, collective::CommSettings& comm);

/// Throws UsageError or BadInput.
run::Machine open_machine(const PlaceOptions& options, const Environment& env);

}  // namespace heddle::cli
