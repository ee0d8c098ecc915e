#include "hw_models/topology_nics.h"

#include <algorithm>

namespace heddle::hw_models {
namespace {

/// The GPU with the best relation to the NIC; the first among equals.
std::size_t nearest_gpu(const ImportMatrix& matrix, std::size_t nic) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < matrix.gpus(); ++i) {
    if (matrix.to_nics[i][nic].kind < matrix.to_nics[best][nic].kind) best = i;
  }
  return best;
}

}  // namespace

std::vector<NicPlace> place_nics(const ImportMatrix& matrix, const NodeModel& like,
                                 const std::vector<int>& socket) {
  const int with_gpus = 1 + *std::max_element(socket.begin(), socket.end());
  const int sockets = 1 + like.socket_of(like.gpus - 1);
  std::vector<NicPlace> nics;
  for (std::size_t k = 0; k < matrix.nics(); ++k) {
    NicPlace nic;
    nic.name = matrix.imported->nics[k].name;
    const std::size_t gpu = nearest_gpu(matrix, k);
    const RelationKind kind = matrix.to_nics[gpu][k].kind;
    if (kind < RelationKind::kSys) {
      nic.socket = socket[gpu];
    } else {
      const auto share = static_cast<int>(k * static_cast<std::size_t>(with_gpus) / matrix.nics());
      nic.socket = sockets > with_gpus ? with_gpus : share;
    }
    nics.push_back(std::move(nic));
  }
  return nics;
}

}  // namespace heddle::hw_models
