#include "hw_models/topology_nvlink.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::hw_models {
namespace {

using io::TopoGpu;
using io::TopoMatrix;

int links_used(const TopoGpu& gpu) {
  int sum = 0;
  for (const io::TopoRelation& to : gpu.to_gpus) sum += to.links;
  return sum;
}

/// The NV# that every pair shows; 0 if they differ.
int uniform_links(const TopoMatrix& matrix) {
  const int first = matrix.gpus.front().to_gpus.back().links;
  for (std::size_t i = 0; i < matrix.gpus.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (matrix.gpus[i].to_gpus[j].links != first) return 0;
    }
  }
  return first;
}

bool is_lone_full_pair(const TopoMatrix& matrix, const NodeModel& like) {
  return matrix.gpus.size() == 2 && links_used(matrix.gpus.front()) == like.links_per_gpu;
}

}  // namespace

void read_nvlinks(const TopoMatrix& matrix, const NodeModel& like, const std::string& file,
                  Wiring& wiring, Diagnostics& out) {
  const std::vector<TopoGpu>& gpus = matrix.gpus;
  wiring.pair_links.assign(gpus.size(), std::vector<int>(gpus.size(), 0));
  const auto fullest = std::max_element(gpus.begin(), gpus.end(), [](const auto& a, const auto& b) {
    return links_used(a) < links_used(b);
  });
  const int most = links_used(*fullest);
  if (most == 0) return;
  if (like.links_per_gpu == 0) {
    out.error("topo-nvlink", file, "", fullest->line,
              fmt::format("the matrix shows NVLink, but {} has none", like.name),
              "choose a like_node with NVLink");
    return;
  }
  const bool shared = most > like.links_per_gpu;
  const bool pair_on_switch =
      is_lone_full_pair(matrix, like) && like.wiring == NvlinkWiring::kSwitch;
  if (shared || pair_on_switch) {
    wiring.switch_links = uniform_links(matrix);
    if (wiring.switch_links > 0 && wiring.switch_links <= like.links_per_gpu) return;
    out.error(
        "topo-nvlink", file, "", fullest->line,
        fmt::format("GPU{} would need {} NVLinks; a {} has {}, and the pairs do not look like "
                    "one switch",
                    fullest->number, most, like.gpu, like.links_per_gpu),
        "choose a like_node with the GPU of this machine, or list the GPUs of one switch");
    return;
  }
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    for (std::size_t j = 0; j < gpus.size(); ++j) {
      wiring.pair_links[i][j] = gpus[i].to_gpus[j].links;
    }
  }
}

}  // namespace heddle::hw_models
