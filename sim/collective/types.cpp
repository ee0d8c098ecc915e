#include "sim/collective/types.h"

#include <array>
#include <cstddef>

namespace heddle::collective {

std::string_view to_string(Algorithm algorithm) {
  constexpr std::array<std::string_view, kAlgorithms.size()> kNames{"ring",     "tree", "nvls",
                                                                    "nvlstree", "pat",  "p2p"};
  return kNames[static_cast<std::size_t>(algorithm)];
}

std::string_view to_string(Protocol protocol) {
  constexpr std::array<std::string_view, 3> kNames{"ll", "ll128", "simple"};
  return kNames[static_cast<std::size_t>(protocol)];
}

std::string_view to_string(Transport transport) {
  constexpr std::array<std::string_view, 5> kNames{"nvlink", "pcie", "host_memory", "network",
                                                   "self"};
  return kNames[static_cast<std::size_t>(transport)];
}

}  // namespace heddle::collective
