#include "hw_models/topology_sockets.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "hw_models/groups.h"

namespace heddle::hw_models {
namespace {

using io::TopoGpu;
using io::TopoKind;
using io::TopoMatrix;

TopoKind kind_of(const TopoMatrix& matrix, std::size_t i, std::size_t j) {
  return matrix.gpus[i].to_gpus[j].kind;
}

std::size_t sockets_of(const NodeModel& node) {
  return static_cast<std::size_t>(node.socket_of(node.gpus - 1)) + 1;
}

bool names_every_numa_node(const TopoMatrix& matrix) {
  return std::all_of(matrix.gpus.begin(), matrix.gpus.end(),
                     [](const TopoGpu& gpu) { return gpu.numa.has_value(); });
}

/// Several NUMA nodes per socket (AMD's NPS2, NPS4) are numbered socket by socket.
std::vector<int> sockets_by_numa(const TopoMatrix& matrix, const NodeModel& like,
                                 const std::string& file, Diagnostics& out) {
  std::set<int> nodes;
  for (const TopoGpu& gpu : matrix.gpus) nodes.insert(*gpu.numa);
  const std::size_t sockets = std::min(nodes.size(), sockets_of(like));
  const std::size_t per_socket = (nodes.size() + sockets - 1) / sockets;
  if (per_socket * sockets != nodes.size()) {
    out.error("topo-sockets", file, "", matrix.gpus.front().line,
              fmt::format("{} NUMA nodes do not spread evenly over the {} sockets of {}",
                          nodes.size(), sockets, like.name),
              "paste the matrix of all GPUs, or choose a like_node with these sockets");
  }
  std::vector<int> result;
  for (const TopoGpu& gpu : matrix.gpus) {
    const auto place =
        static_cast<std::size_t>(std::distance(nodes.begin(), nodes.find(*gpu.numa)));
    result.push_back(static_cast<int>(place / per_socket));
  }
  return result;
}

/// Without NUMA numbers: SYS separates, everything else joins. NVLink alone says nothing.
std::vector<int> sockets_by_relation(const TopoMatrix& matrix, const NodeModel& like) {
  const std::size_t count = matrix.gpus.size();
  bool only_nvlink = true;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < i; ++j) only_nvlink &= kind_of(matrix, i, j) == TopoKind::kNvlink;
  }
  if (!only_nvlink) {
    return connected_groups(count, [&matrix](std::size_t i, std::size_t j) {
      return kind_of(matrix, i, j) != TopoKind::kSys;
    });
  }
  return connected_groups(count, [&matrix, &like](std::size_t i, std::size_t j) {
    return like.socket_of(matrix.gpus[i].number) == like.socket_of(matrix.gpus[j].number);
  });
}

bool contradicts(TopoKind kind, bool same_socket, bool by_numa) {
  switch (kind) {
    case TopoKind::kPix:
    case TopoKind::kPxb:
    case TopoKind::kPhb:
    case TopoKind::kNode:
      return !same_socket;
    case TopoKind::kSys:
      return same_socket && !by_numa;  // between NUMA nodes of one socket SYS is printed too
    default:
      return false;
  }
}

}  // namespace

void read_sockets(const TopoMatrix& matrix, const NodeModel& like, const std::string& file,
                  Wiring& wiring, Diagnostics& out) {
  const bool by_numa = names_every_numa_node(matrix);
  wiring.socket =
      by_numa ? sockets_by_numa(matrix, like, file, out) : sockets_by_relation(matrix, like);
  for (std::size_t i = 0; i < matrix.gpus.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool same = wiring.socket[i] == wiring.socket[j];
      if (!contradicts(kind_of(matrix, i, j), same, by_numa)) continue;
      out.error("topo-sockets", file, "", matrix.gpus[i].line,
                fmt::format("GPU{} and GPU{}: the connection contradicts the sockets the rest of "
                            "the matrix shows",
                            matrix.gpus[i].number, matrix.gpus[j].number),
                "check the NUMA Affinity column");
    }
  }
}

}  // namespace heddle::hw_models
