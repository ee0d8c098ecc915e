#include "sim/fabric/path_class.h"

namespace heddle::fabric {
namespace {

/// What a route passes: links by kind, and devices between its ends.
struct Passed {
  int nvlinks = 0;
  int c2c = 0;
  int pcie = 0;
  int between_sockets = 0;
  int gpus = 0;           // in between
  int pcie_switches = 0;  // in between
  bool touches_cpu = false;
  bool ends_at_nic = false;
};

void count_link(const Link& link, Passed& passed) {
  passed.nvlinks += link.kind == LinkKind::kNvlink;
  passed.c2c += link.kind == LinkKind::kC2c;
  passed.pcie += link.kind == LinkKind::kPcie;
  passed.between_sockets += link.kind == LinkKind::kCpuInterconnect;
}

Passed walk(const Route& route, std::span<const Device> devices, std::span<const Link> links) {
  Passed passed;
  const auto kind = [&](DeviceId id) { return devices[id.index()].kind; };
  for (std::size_t i = 0; i < route.size(); ++i) {
    const Link& link = links[route[i].index()];
    count_link(link, passed);
    passed.touches_cpu |= kind(link.from) == DeviceKind::kCpu || kind(link.to) == DeviceKind::kCpu;
    if (i + 1 == route.size()) continue;
    passed.gpus += kind(link.to) == DeviceKind::kGpu;
    passed.pcie_switches += kind(link.to) == DeviceKind::kPcieSwitch;
  }
  const DeviceKind first = kind(links[route.front().index()].from);
  const DeviceKind last = kind(links[route.back().index()].to);
  passed.ends_at_nic = first == DeviceKind::kNic || last == DeviceKind::kNic;
  return passed;
}

}  // namespace

PathType classify_path(const Route& route, std::span<const Device> devices,
                       std::span<const Link> links) {
  if (route.empty()) return PathType::kDisconnected;
  const Passed passed = walk(route, devices, links);
  if (passed.nvlinks > 0) return passed.gpus > 0 ? PathType::kNvb : PathType::kNvlink;
  if (passed.between_sockets > 0) return PathType::kSys;
  if (passed.c2c > 0 && passed.pcie == 0) return PathType::kC2c;
  if (passed.c2c > 0 && passed.ends_at_nic) return PathType::kP2c;
  if (passed.touches_cpu) return PathType::kPhb;
  return passed.pcie_switches > 1 ? PathType::kPxb : PathType::kPix;
}

}  // namespace heddle::fabric
