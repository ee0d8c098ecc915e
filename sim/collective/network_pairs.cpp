#include "sim/collective/network_pairs.h"

#include <map>

namespace heddle::collective {
namespace {

struct Side {
  std::int64_t senders = 0;
  std::int64_t receivers = 0;

  void add(const NetworkEnd& end) {
    senders += end.senders;
    receivers += end.receivers;
  }
};

}  // namespace

void cross_network_pairs(LinkLoad& load, const fabric::Fabric& fabric,
                         std::span<const NetworkEnd> ends) {
  if (ends.empty()) return;
  const fabric::DeviceId fixed = ends.front().nic;
  Side all;
  std::map<fabric::LinkId, Side> toward;  // by link: the ends beyond it, seen from `fixed`
  std::map<fabric::LinkId, Side> away;
  for (const NetworkEnd& end : ends) {
    all.add(end);
    for (fabric::LinkId link : fabric.network_route(end.nic, fixed)) toward[link].add(end);
    for (fabric::LinkId link : fabric.network_route(fixed, end.nic)) away[link].add(end);
  }
  for (const auto& [link, beyond] : toward) {
    load.cross(link, Transport::kNetwork, beyond.senders * (all.receivers - beyond.receivers));
  }
  for (const auto& [link, beyond] : away) {
    load.cross(link, Transport::kNetwork, (all.senders - beyond.senders) * beyond.receivers);
  }
}

}  // namespace heddle::collective
