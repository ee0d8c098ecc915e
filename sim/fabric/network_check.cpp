#include "sim/fabric/network_check.h"

#include <fmt/format.h>

#include <map>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

namespace heddle::fabric {
namespace {

class NetworkChecker {
 public:
  NetworkChecker(std::span<const Device> devices, const std::string& source, Diagnostics& out)
      : devices_(devices), source_(source), out_(out), group_(devices.size()) {
    std::iota(group_.begin(), group_.end(), std::size_t{0});
  }

  void add(const Link& link) {
    const Device& from = devices_[link.from.index()];
    const Device& to = devices_[link.to.index()];
    const bool crosses = from.node == kNoNode || from.node != to.node;
    if (link.kind != LinkKind::kNetwork) {
      if (crosses) fail("stray-link", link, "is no network link but leaves a machine", "");
      return;
    }
    if (!is_port(from) || !is_port(to)) {
      fail("stray-link", link, "is a network link", "only NICs and network switches have ports");
      return;
    }
    ++directions_[{link.from, link.to}];
  }

  void check_cables() {
    for (const auto& [ends, count] : directions_) {
      Link link;
      std::tie(link.from, link.to) = ends;
      if (count > 1) {
        fail("parallel-links", link, fmt::format("is there {} times", count),
             "bundle parallel cables into one link with the sum of their capacities");
      }
      if (!directions_.contains({link.to, link.from})) {
        fail("one-way-link", link, "has no way back", "add the other direction");
      } else if (link.from < link.to && !unite(link.from, link.to)) {
        fail("network-loop", link, "closes a loop",
             "parallel spines of a tier are one switch with the sum of their links");
      }
      if (devices_[link.from.index()].kind == DeviceKind::kNic && ++cables_[link.from] == 2) {
        fail("two-ports", link, "is the second cable of one NIC", "give every port a NIC");
      }
    }
  }

 private:
  static bool is_port(const Device& device) {
    return device.kind == DeviceKind::kNic || device.kind == DeviceKind::kNetSwitch;
  }

  std::size_t find(std::size_t at) {
    while (group_[at] != at) at = group_[at] = group_[group_[at]];
    return at;
  }
  /// False if they were joined before.
  bool unite(DeviceId a, DeviceId b) {
    const std::size_t first = find(a.index());
    const std::size_t second = find(b.index());
    group_[first] = second;
    return first != second;
  }

  void fail(std::string code, const Link& link, const std::string& what, std::string hint) {
    out_.error(std::move(code), source_, "", 0,
               fmt::format("the link {} -> {} {}", devices_[link.from.index()].name,
                           devices_[link.to.index()].name, what),
               std::move(hint));
  }

  std::span<const Device> devices_;
  const std::string& source_;
  Diagnostics& out_;
  std::vector<std::size_t> group_;  // union-find over devices
  std::map<std::pair<DeviceId, DeviceId>, int> directions_;
  std::map<DeviceId, int> cables_;  // by NIC
};

}  // namespace

void check_network(std::span<const Device> devices, std::span<const Link> links,
                   const std::string& source, Diagnostics& out) {
  NetworkChecker checker(devices, source, out);
  for (const Link& link : links) checker.add(link);
  checker.check_cables();
}

}  // namespace heddle::fabric
