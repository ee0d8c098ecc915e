#include "validator/launch/backend.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "sim/base/number_text.h"
#include "validator/device/host_device.h"
#include "validator/gpu_rank/gpu_device.h"
#include "validator/launch/gpu_probe.h"

namespace heddle::launch {
namespace {

constexpr Bytes kLargestCache = mebibytes(128);  // of a GPU: Blackwell's L2

/// The first of those this process may use.
std::string first_visible_gpu() {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  const std::string all = visible == nullptr ? "0" : visible;
  return all.substr(0, all.find(','));
}

/// NCCL 2.30 and later.
bool allows_shared_gpu(const std::string& nccl) {
  const std::size_t dot = nccl.find('.');
  if (dot == std::string::npos) return false;
  const std::string_view minor = std::string_view(nccl).substr(dot + 1);
  const auto first = whole_int(nccl.substr(0, dot), 0);
  const auto second = whole_int(std::string(minor.substr(0, minor.find('.'))), 0);
  return first && second && (*first > 2 || (*first == 2 && *second >= 30));
}

std::string worker_path(std::string_view worker, const std::string& workers) {
  return fmt::format("{}/heddle-worker-{}", workers, worker);
}

/// A process each, told its rank.
std::vector<Command> start_each(std::string_view worker, const LaunchPlace& place, int ranks) {
  std::vector<Command> commands;
  for (int rank = 0; rank < ranks; ++rank) {
    commands.push_back({{worker_path(worker, place.workers), place.socket, std::to_string(rank),
                         std::to_string(ranks)},
                        {},
                        place.log});
  }
  return commands;
}

std::vector<Command> start_reference(const LaunchPlace& place, int ranks) {
  return start_each("reference", place, ranks);
}

/// NCCL writes the machine as it sees it.
std::vector<Command> start_nccl(const LaunchPlace& place, int ranks) {
  std::vector<Command> commands = start_each("nccl", place, ranks);
  commands.front().environment.emplace_back("NCCL_TOPO_DUMP_FILE", place.topology);
  return commands;
}

/// NCCL 2.30 and later allow several ranks on a GPU if they are told to; before that each must look
/// like a machine of its own, with nothing but sockets between them. Sources: NCCL's documentation
/// of NCCL_MULTI_RANK_GPU_ENABLE; src/init.cc of 2.5 to 2.28, which compares host hash and bus id.
std::vector<Command> start_one_gpu(const LaunchPlace& place, int ranks) {
  std::vector<Command> commands = start_nccl(place, ranks);
  for (std::size_t rank = 0; rank < commands.size(); ++rank) {
    auto& environment = commands[rank].environment;
    environment.emplace_back("CUDA_VISIBLE_DEVICES", first_visible_gpu());
    environment.emplace_back("NCCL_MULTI_RANK_GPU_ENABLE", "1");
    environment.emplace_back("NCCL_MAX_CTAS", "2");
    environment.emplace_back("NCCL_NVLS_ENABLE", "0");
    const GpuProbe probe = probe_gpus(worker_path("nccl", place.workers));
    if (allows_shared_gpu(probe.nccl)) continue;
    environment.emplace_back("NCCL_HOSTID", fmt::format("heddle-rank-{}", rank));
    environment.emplace_back("NCCL_SOCKET_IFNAME", "lo");
    environment.emplace_back("NCCL_IB_DISABLE", "1");
    environment.emplace_back("NCCL_MNNVL_ENABLE", "0");
  }
  return commands;
}

std::vector<Command> start_nccl_host(const LaunchPlace& place, int ranks) {
  std::vector<Command> commands = start_each("nccl", place, ranks);
  for (Command& command : commands) command.words.emplace_back("host");
  return commands;
}

/// Ranks may be more than cores, and those that wait give their core away: a rank that spins would
/// take it from one that computes. Open MPI asks root twice whether it means it. What a killed
/// mpirun leaves behind goes with the folder.
std::vector<Command> start_mpirun(const LaunchPlace& place, int ranks) {
  return {{{"mpirun", "-n", std::to_string(ranks), "--oversubscribe", "--bind-to", "none",
            worker_path("mpi", place.workers), place.socket},
           {{"OMPI_ALLOW_RUN_AS_ROOT", "1"},
            {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
            {"OMPI_MCA_mpi_yield_when_idle", "1"},
            {"OMPI_MCA_btl_vader_single_copy_mechanism", "none"},
            {"OMPI_MCA_orte_tmpdir_base", place.folder}},
           place.log}};
}

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

std::string missing_mpirun(const std::string&, int) {
  return is_on_path("mpirun") ? "" : "mpirun is not on the PATH";
}

std::string missing_gpus(const std::string& worker, int ranks) {
  const GpuProbe probe = probe_gpus(worker);
  if (!probe.missing.empty()) return probe.missing;
  if (probe.devices >= ranks) return "";
  return fmt::format(
      "{} ranks, {} {}: NCCL wants a GPU per rank; plan for fewer with --ranks, or share one with "
      "--backend nccl-one-gpu",
      ranks, probe.devices, probe.devices == 1 ? "GPU" : "GPUs");
}

std::string missing_one_gpu(const std::string& worker, int) {
  return probe_gpus(worker).missing;
}

Bytes cuda_harness(const schedule::Schedule& schedule, int rank) {
  gpu::Facts facts;
  facts.cache = kLargestCache;
  return gpu_rank::gpu_harness(schedule, rank, facts);
}

Bytes host_gpu_harness(const schedule::Schedule& schedule, int rank) {
  return gpu_rank::gpu_harness(schedule, rank, {});
}

const std::array kBackends{
    BackendEntry{"reference",
                 "processes that exchange data through shared memory; for tests",
                 {.needs_region = true},
                 "reference",
                 start_reference,
                 device::host_harness,
                 nullptr},
    BackendEntry{"mpi",
                 "CPU ranks with Open MPI's collectives",
                 {},
                 "mpi",
                 start_mpirun,
                 device::host_harness,
                 missing_mpirun},
    BackendEntry{"nccl",
                 "a GPU per rank: cuBLASLt and NCCL",
                 {.on_gpu = true, .cpu_memory = false},
                 "nccl",
                 start_nccl,
                 cuda_harness,
                 missing_gpus},
    BackendEntry{"nccl-one-gpu",
                 "several ranks on one GPU: a platform of its own, says nothing about links",
                 {.on_gpu = true, .shares_gpu = true, .cpu_memory = false},
                 "nccl",
                 start_one_gpu,
                 cuda_harness,
                 missing_one_gpu},
    BackendEntry{"nccl-host",
                 "nccl's own code on threads that stand for GPUs; for tests",
                 {.on_gpu = true},
                 "nccl",
                 start_nccl_host,
                 host_gpu_harness,
                 nullptr},
};

}  // namespace

std::span<const BackendEntry> backends() {
  return kBackends;
}

const BackendEntry* find_backend(std::string_view name) {
  const auto found = std::find_if(kBackends.begin(), kBackends.end(),
                                  [&](const BackendEntry& entry) { return entry.name == name; });
  return found == kBackends.end() ? nullptr : &*found;
}

std::string missing_for(const BackendEntry& backend, const std::string& workers, int ranks) {
  const std::string worker = worker_path(backend.worker, workers);
  if (access(worker.c_str(), X_OK) != 0) return worker + ", which was not built";
  return backend.missing == nullptr ? "" : backend.missing(worker, ranks);
}

}  // namespace heddle::launch
