#pragma once
// The words of this module: what a collective may run as, and what it does to a link.

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/fabric/device.h"

namespace heddle::collective {

/// kP2p: point-to-point sends at once, what NCCL's all-to-all and send/recv are made of.
enum class Algorithm { kRing, kTree, kNvls, kNvlsTree, kPat, kP2p };
inline constexpr std::array kAlgorithms{Algorithm::kRing,     Algorithm::kTree, Algorithm::kNvls,
                                        Algorithm::kNvlsTree, Algorithm::kPat,  Algorithm::kP2p};
/// "ring", "tree", "nvls", "nvlstree", "pat", "p2p"
std::string_view to_string(Algorithm algorithm);

enum class Protocol { kLl, kLl128, kSimple };
std::string_view to_string(Protocol protocol);  // "ll", "ll128", "simple"

/// How a hop is carried, best first; a collective has the transport of its worst hop.
enum class Transport { kNvlink, kPcie, kHostMemory, kNetwork, kSelf };
/// "nvlink", "pcie", "host_memory", "network", "self"
std::string_view to_string(Transport transport);

/// Link weights are exact: parts per billion of the payload that cross the link, efficiency
/// included (occupancy, rounded up), and without it (true bytes, rounded to the nearest, for
/// link-load reports).
struct LinkUse {
  fabric::LinkId link;
  std::int64_t occupancy_ppb = 0;
  std::int64_t bytes_ppb = 0;

  friend bool operator==(const LinkUse&, const LinkUse&) = default;
};

}  // namespace heddle::collective
