#include "hw_models/wiring.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace heddle::hw_models {

std::vector<int> switches_in_order(const NodeModel& node, const std::vector<int>& socket) {
  if (node.gpus_per_pcie_switch == 0) return std::vector<int>(socket.size(), kNoSwitch);
  std::vector<int> result;
  std::map<int, int> gpus_in_socket;
  std::map<std::pair<int, int>, int> number_of;  // (socket, place) -> switch
  for (const int s : socket) {
    const int place = gpus_in_socket[s]++ / node.gpus_per_pcie_switch;
    const int next = static_cast<int>(number_of.size());
    result.push_back(number_of.try_emplace({s, place}, next).first->second);
  }
  return result;
}

std::vector<NicPlace> nics_beside_gpus(const Wiring& wiring, const NicModel& nics) {
  const int count = nics.of_machine(static_cast<int>(wiring.gpu_numbers.size()));
  std::vector<NicPlace> places;
  for (int k = 0; k < count; ++k) {
    const std::size_t gpu =
        static_cast<std::size_t>(k) * wiring.gpu_numbers.size() / static_cast<std::size_t>(count);
    places.push_back({wiring.socket[gpu], wiring.pcie_switch[gpu]});
  }
  return places;
}

namespace {

void set_links(Wiring& wiring, int a, int b, int links) {
  wiring.pair_links[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] = links;
}

/// NVLinks without a switch.
void join_pairs(const NodeModel& node, Wiring& wiring) {
  for (const std::vector<int>& group : node.groups) {
    for (const int a : group) {
      for (const int b : group) {
        if (a != b) set_links(wiring, a, b, node.links_per_pair);
      }
    }
  }
  for (const PairLinks& pair : node.pairs) {
    set_links(wiring, pair.a, pair.b, pair.links);
    set_links(wiring, pair.b, pair.a, pair.links);
  }
}

}  // namespace

Wiring wiring_of(const NodeModel& node) {
  const auto count = static_cast<std::size_t>(node.gpus);
  Wiring wiring;
  wiring.gpu_numbers.resize(count);
  std::iota(wiring.gpu_numbers.begin(), wiring.gpu_numbers.end(), 0);
  for (const int gpu : wiring.gpu_numbers) wiring.socket.push_back(node.socket_of(gpu));
  wiring.pcie_switch = switches_in_order(node, wiring.socket);
  const int switches = 1 + *std::max_element(wiring.pcie_switch.begin(), wiring.pcie_switch.end());
  wiring.upper_pcie_switch.assign(static_cast<std::size_t>(switches), kNoSwitch);
  wiring.pair_links.assign(count, std::vector<int>(count, 0));
  if (node.wiring == NvlinkWiring::kSwitch) wiring.switch_links = node.links_per_gpu;
  join_pairs(node, wiring);
  wiring.nics = nics_beside_gpus(wiring, node.nics);
  return wiring;
}

}  // namespace heddle::hw_models
