#include "hw_models/topology_nvlink.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/io/import/nvlink_reading.h"

namespace heddle::hw_models {
namespace {

using io::NvlinkReading;
using io::NvlinkShape;

/// Every pair of the machine shows the same NV#, and it fits into a port.
bool looks_like_one_switch(const ImportMatrix& matrix, const NvlinkReading& reading, int links) {
  return reading.islands.size() == 1 && reading.islands.front().size() == matrix.gpus() &&
         reading.uniform > 0 && reading.uniform <= links;
}

void read_pairs(const ImportMatrix& matrix, Wiring& wiring) {
  for (std::size_t i = 0; i < matrix.gpus(); ++i) {
    for (std::size_t j = 0; j < matrix.gpus(); ++j) {
      wiring.pair_links[i][j] = matrix.to_gpus[i][j].links;
    }
  }
}

bool has_links(const ImportMatrix& matrix) {
  return std::any_of(matrix.to_gpus.begin(), matrix.to_gpus.end(), [](const auto& row) {
    return std::any_of(row.begin(), row.end(), [](const Relation& r) { return r.links > 0; });
  });
}

}  // namespace

void read_nvlinks(const ImportMatrix& matrix, const NodeModel& like, const std::string& file,
                  Wiring& wiring, Diagnostics& out) {
  wiring.pair_links.assign(matrix.gpus(), std::vector<int>(matrix.gpus(), 0));
  if (!has_links(matrix)) return;
  const std::array<int, 1> links = {like.links_per_gpu};
  const NvlinkReading reading = io::read_nvlinks(matrix.imported->gpu_matrix, links);
  const auto fullest = static_cast<std::size_t>(reading.fullest);
  if (like.links_per_gpu == 0) {
    out.error("topo-nvlink", file, "", matrix.line(fullest),
              fmt::format("the text shows NVLink, but {} has none", like.name),
              "name a node with NVLink as \"like\", or another GPU");
    return;
  }
  const bool port =
      reading.shape == NvlinkShape::kAmbiguous && like.wiring == NvlinkWiring::kSwitch;
  const bool too_many = reading.most > like.links_per_gpu;
  if (!too_many && !port) {
    read_pairs(matrix, wiring);
    return;
  }
  if (looks_like_one_switch(matrix, reading, like.links_per_gpu)) {
    wiring.switch_links = reading.uniform;
    return;
  }
  out.error("topo-nvlink", file, "", matrix.line(fullest),
            fmt::format("GPU{} would need {} NVLinks; a {} has {}, and the pairs do not look like "
                        "one switch",
                        matrix.number(fullest), reading.most, like.gpu, like.links_per_gpu),
            "name the GPU of this machine, or keep the GPUs of one switch");
}

}  // namespace heddle::hw_models
