// heddle-worker-nccl SOCKET RANK RANKS [host]: a rank on a GPU, or, with "host", on threads that
// stand for one. heddle-worker-nccl probe: what this machine has, a line each, for the parent to
// read.

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/number_text.h"
#include "validator/gpu/cuda_gpu.h"
#include "validator/gpu/host_gpu.h"
#include "validator/gpu_rank/gpu_rank.h"
#include "validator/worker/worker.h"

namespace {

using heddle::worker::RankOrder;
using heddle::worker::WorkerBackend;

int probe() {
  const auto cuda = heddle::gpu::load_cuda();
  const auto machine = heddle::gpu::look_at_machine(cuda);
  std::cout << "devices " << machine.devices << "\n";
  if (!machine.nccl.empty()) std::cout << "nccl " << machine.nccl << "\n";
  if (!machine.missing.empty()) std::cout << "missing " << machine.missing << "\n";
  return 0;
}

/// NCCL_HOSTID and files are each rank's own.
std::string nccl_environment() {
  std::vector<std::string> settings;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const bool own = text.starts_with("NCCL_HOSTID=") || text.find("_FILE=") != text.npos;
    if (text.starts_with("NCCL_") && !own) settings.emplace_back(text);
  }
  std::sort(settings.begin(), settings.end());
  std::string all;
  for (const std::string& setting : settings) all += (all.empty() ? "" : " ") + setting;
  return all.empty() ? "none" : all;
}

void describe(const heddle::gpu::Facts& facts, WorkerBackend& backend) {
  backend.versions = {{"transport", facts.nccl.empty() ? "NCCL" : facts.nccl},
                      {"GPU", facts.name},
                      {"driver", facts.driver},
                      {"CUDA runtime", facts.runtime},
                      {"cuBLASLt", facts.blas},
                      {"sweeps", facts.sweeps},
                      {"NCCL settings", nccl_environment()}};
  backend.facts = {{"place", facts.place},
                   {"clock_mhz", std::to_string(facts.clock_mhz)},
                   {"most_clock_mhz", std::to_string(facts.most_clock_mhz)}};
}

heddle::Bytes harness(const heddle::schedule::Schedule& schedule, int rank) {
  return heddle::gpu_rank::gpu_harness(schedule, rank, {});
}

/// A host GPU of its own for each order: it is as large as the order says.
class HostSide {
 public:
  explicit HostSide(std::string folder) : folder_(std::move(folder)) {}

  heddle::gpu::Gpu& open(const RankOrder& order, int rank) {
    gpu_ = std::make_unique<heddle::gpu::HostGpu>(
        heddle::gpu::HostGpuOptions{order.request.memory + harness(order.schedule, rank), folder_});
    return *gpu_;
  }

 private:
  std::string folder_;
  std::unique_ptr<heddle::gpu::HostGpu> gpu_;
};

std::unique_ptr<heddle::device::Device> make_rank(heddle::gpu::Gpu& gpu, const RankOrder& order,
                                                  int rank) {
  heddle::gpu_rank::GpuLimits limits;
  limits.memory = order.request.memory;
  if (order.request.async_allocator) limits.allocator = heddle::gpu_rank::Allocator::kAsync;
  return std::make_unique<heddle::gpu_rank::GpuRank>(gpu, order.schedule, rank, order.assembly,
                                                     limits, order.fault,
                                                     heddle::device::steady_clock());
}

int serve_on_host(const std::string& socket, WorkerBackend& backend) {
  HostSide side(socket.substr(0, socket.rfind('/')));
  describe(heddle::gpu::HostGpu({}).facts(), backend);
  backend.device = [&](const RankOrder& order, std::string&) {
    return make_rank(side.open(order, backend.rank), order, backend.rank);
  };
  return static_cast<int>(heddle::worker::serve(socket, backend));
}

int serve_on_gpu(const std::string& socket, WorkerBackend& backend) {
  const auto cuda = heddle::gpu::load_cuda();
  const auto machine = heddle::gpu::look_at_machine(cuda);
  std::string problem = machine.missing;
  std::unique_ptr<heddle::gpu::Gpu> gpu;
  if (problem.empty()) gpu = open_cuda(cuda, backend.rank % machine.devices, problem);
  if (!gpu) {
    std::cerr << problem << "\n";
    return 4;
  }
  describe(gpu->facts(), backend);
  backend.device = [&](const RankOrder& order, std::string&) {
    return make_rank(*gpu, order, backend.rank);
  };
  return static_cast<int>(heddle::worker::serve(socket, backend));
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words == std::vector<std::string>{"probe"}) return probe();
  if (words.size() < 3 || words.size() > 4) return 2;
  WorkerBackend backend;
  backend.rank = heddle::whole_int(words[1], 0).value_or(0);
  backend.ranks = heddle::whole_int(words[2], 1).value_or(1);
  const bool on_host = words.size() == 4 && words[3] == "host";
  return on_host ? serve_on_host(words[0], backend) : serve_on_gpu(words[0], backend);
}
