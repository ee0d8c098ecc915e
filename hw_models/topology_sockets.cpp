#include "hw_models/topology_sockets.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "hw_models/groups.h"

namespace heddle::hw_models {
namespace {

RelationKind kind_of(const ImportMatrix& matrix, std::size_t i, std::size_t j) {
  return matrix.to_gpus[i][j].kind;
}

std::size_t sockets_of(const NodeModel& node) {
  return static_cast<std::size_t>(node.socket_of(node.gpus - 1)) + 1;
}

bool names_every_numa_node(const ImportMatrix& matrix) {
  return std::all_of(matrix.numa.begin(), matrix.numa.end(),
                     [](const auto& numa) { return numa.has_value(); });
}

/// Joined by a way that stays below one host bridge or NUMA node.
bool within_socket(RelationKind kind) {
  return kind == RelationKind::kPix || kind == RelationKind::kPxb || kind == RelationKind::kPhb ||
         kind == RelationKind::kNode;
}

std::vector<int> sockets_by_numa(const ImportMatrix& matrix, const NodeModel& like) {
  std::set<int> nodes;
  for (const auto& numa : matrix.numa) nodes.insert(*numa);
  const std::size_t sockets = std::min(nodes.size(), std::max<std::size_t>(1, sockets_of(like)));
  std::vector<int> result;
  for (const auto& numa : matrix.numa) {
    const auto place = static_cast<std::size_t>(std::distance(nodes.begin(), nodes.find(*numa)));
    result.push_back(static_cast<int>(place * sockets / nodes.size()));
  }
  return result;
}

std::vector<int> sockets_by_relation(const ImportMatrix& matrix, const NodeModel& like) {
  const std::size_t count = matrix.gpus();
  bool silent = true;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const RelationKind kind = kind_of(matrix, i, j);
      silent &= kind == RelationKind::kNvlink || kind == RelationKind::kHost;
    }
  }
  if (!silent) {
    return connected_groups(count, [&matrix](std::size_t i, std::size_t j) {
      return kind_of(matrix, i, j) != RelationKind::kSys;
    });
  }
  return connected_groups(count, [&matrix, &like](std::size_t i, std::size_t j) {
    return like.socket_of(matrix.number(i)) == like.socket_of(matrix.number(j));
  });
}

}  // namespace

void read_sockets(const ImportMatrix& matrix, const NodeModel& like, const std::string& file,
                  Wiring& wiring, Diagnostics& out) {
  const bool by_numa = names_every_numa_node(matrix);
  wiring.socket = by_numa ? sockets_by_numa(matrix, like) : sockets_by_relation(matrix, like);
  for (std::size_t i = 0; i < matrix.gpus(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const RelationKind kind = kind_of(matrix, i, j);
      const bool same = wiring.socket[i] == wiring.socket[j];
      // Between NUMA nodes of one socket SYS is printed too.
      const bool contradicts = same ? kind == RelationKind::kSys && !by_numa : within_socket(kind);
      if (!contradicts) continue;
      out.error("topo-sockets", file, "", matrix.line(i),
                fmt::format("GPU{} and GPU{}: the connection contradicts the sockets the rest of "
                            "the matrix shows",
                            matrix.number(i), matrix.number(j)),
                "check the NUMA Affinity column");
    }
  }
}

}  // namespace heddle::hw_models
