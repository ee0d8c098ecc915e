#pragma once
// Small hand-made machines for the fabric tests.

#include <string>

#include "sim/fabric/fabric_builder.h"

namespace heddle::fabric {

inline DeviceId add(FabricBuilder& builder, DeviceKind kind, const std::string& name, int index) {
  return builder.add_device({kind, name, 0, 0, index});
}

inline void join(FabricBuilder& builder, DeviceId a, DeviceId b, LinkKind kind,
                 std::int64_t gb_per_second) {
  builder.add_duplex({a, b, kind, Bandwidth{gb_per_second * 1'000'000'000}, nanoseconds(100), 1});
}

/// Two sockets. cpu0 holds gpu0 and gpu1 behind pcie0, gpu2 behind pcie2 which hangs off pcie0, and
/// gpu3 directly; cpu1 holds gpu4 directly. gpu0 - gpu3 and gpu3 - gpu4 are bridged by NVLink.
inline FabricBuilder two_sockets() {
  FabricBuilder b("two sockets", "any");
  DeviceId gpu[5];
  for (int i = 0; i < 5; ++i) gpu[i] = add(b, DeviceKind::kGpu, "gpu" + std::to_string(i), i);
  const DeviceId cpu0 = add(b, DeviceKind::kCpu, "cpu0", 0);
  const DeviceId cpu1 = add(b, DeviceKind::kCpu, "cpu1", 1);
  const DeviceId upper = add(b, DeviceKind::kPcieSwitch, "pcie0", 0);
  const DeviceId lower = add(b, DeviceKind::kPcieSwitch, "pcie1", 1);
  join(b, gpu[0], upper, LinkKind::kPcie, 50);
  join(b, gpu[1], upper, LinkKind::kPcie, 50);
  join(b, gpu[2], lower, LinkKind::kPcie, 50);
  join(b, lower, upper, LinkKind::kPcie, 50);
  join(b, upper, cpu0, LinkKind::kPcie, 50);
  join(b, gpu[3], cpu0, LinkKind::kPcie, 50);
  join(b, gpu[4], cpu1, LinkKind::kPcie, 50);
  join(b, cpu0, cpu1, LinkKind::kCpuInterconnect, 20);
  join(b, gpu[0], gpu[3], LinkKind::kNvlink, 100);
  join(b, gpu[3], gpu[4], LinkKind::kNvlink, 100);
  return b;
}

}  // namespace heddle::fabric
