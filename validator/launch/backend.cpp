#include "validator/launch/backend.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace heddle::launch {
namespace {

std::string worker_of(std::string_view backend, const std::string& workers) {
  return fmt::format("{}/heddle-worker-{}", workers, backend);
}

std::vector<Command> start_each(const LaunchPlace& place, int ranks) {
  std::vector<Command> commands;
  for (int rank = 0; rank < ranks; ++rank) {
    commands.push_back({{worker_of("reference", place.workers), place.socket, std::to_string(rank),
                         std::to_string(ranks)},
                        {},
                        place.log});
  }
  return commands;
}

/// Ranks may be more than cores, and those that wait give their core away: a rank that spins would
/// take it from one that computes. Open MPI asks root twice whether it means it. What a killed
/// mpirun leaves behind goes with the folder.
std::vector<Command> start_mpirun(const LaunchPlace& place, int ranks) {
  return {{{"mpirun", "-n", std::to_string(ranks), "--oversubscribe", "--bind-to", "none",
            worker_of("mpi", place.workers), place.socket},
           {{"OMPI_ALLOW_RUN_AS_ROOT", "1"},
            {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
            {"OMPI_MCA_mpi_yield_when_idle", "1"},
            {"OMPI_MCA_btl_vader_single_copy_mechanism", "none"},
            {"OMPI_MCA_orte_tmpdir_base", place.folder}},
           place.log}};
}

const std::array kBackends{
    BackendEntry{"reference", "processes that exchange data through shared memory; for tests", true,
                 start_each, ""},
    BackendEntry{"mpi", "CPU ranks with Open MPI's collectives", false, start_mpirun, "mpirun"},
};

bool is_on_path(std::string_view tool) {
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    if (access(fmt::format("{}/{}", folder, tool).c_str(), X_OK) == 0) return true;
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
  }
  return false;
}

}  // namespace

std::span<const BackendEntry> backends() {
  return kBackends;
}

const BackendEntry* find_backend(std::string_view name) {
  const auto found = std::find_if(kBackends.begin(), kBackends.end(),
                                  [&](const BackendEntry& entry) { return entry.name == name; });
  return found == kBackends.end() ? nullptr : &*found;
}

std::string missing_for(const BackendEntry& backend, const std::string& workers) {
  const std::string worker = worker_of(backend.name, workers);
  if (access(worker.c_str(), X_OK) != 0) return worker + ", which was not built";
  if (!backend.tool.empty() && !is_on_path(backend.tool)) {
    return fmt::format("{} is not on the PATH", backend.tool);
  }
  return "";
}

}  // namespace heddle::launch
