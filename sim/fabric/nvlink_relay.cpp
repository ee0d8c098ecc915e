#include "sim/fabric/nvlink_relay.h"

#include <algorithm>

namespace heddle::fabric {

NvlinkRelay::NvlinkRelay(const NodeView& node) {
  const auto is_gpu = [&node](DeviceId id) {
    return node.devices[id.index()].kind == DeviceKind::kGpu;
  };
  for (const LinkId id : node.inner_links) {
    const Link& link = node.links[id.index()];
    if (link.kind != LinkKind::kNvlink || !is_gpu(link.from) || !is_gpu(link.to)) continue;
    const auto [known, is_new] = cables_[link.from].try_emplace(link.to, Cable{id, link.capacity});
    if (!is_new && known->second.capacity < link.capacity) known->second = {id, link.capacity};
  }
}

Path NvlinkRelay::path(DeviceId from, DeviceId to) const {
  Path best;
  Bandwidth width;
  const auto leaving = cables_.find(from);
  if (from == to || leaving == cables_.end()) return best;
  for (const auto& [relay, first] : leaving->second) {
    const auto relays = cables_.find(relay);
    if (relays == cables_.end()) continue;
    const auto second = relays->second.find(to);
    if (second == relays->second.end()) continue;
    const Bandwidth narrowest = std::min(first.capacity, second->second.capacity);
    if (narrowest <= width) continue;
    width = narrowest;
    best = {first.link, second->second.link};
  }
  return best;
}

}  // namespace heddle::fabric
