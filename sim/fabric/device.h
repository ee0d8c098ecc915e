#pragma once
// What a fabric is made of. Numbers come from hw_models; the kinds are the field's own words.

#include <string>
#include <string_view>

#include "sim/base/id.h"
#include "sim/base/units.h"

namespace heddle::fabric {

using DeviceId = Id<struct DeviceTag>;
using LinkId = Id<struct LinkTag>;

enum class DeviceKind { kGpu, kNvSwitch, kPcieSwitch, kCpu, kNic, kNetSwitch };
std::string_view to_string(DeviceKind kind);

/// Devices outside machines: network switches, and only they.
inline constexpr int kNoNode = -1;

/// A vertex. `name` is unique in the fabric ("gpu3", "cpu0"). For a GPU, `index` is its number as
/// nvidia-smi and CUDA_VISIBLE_DEVICES count it inside `node`.
struct Device {
  DeviceKind kind = DeviceKind::kGpu;
  std::string name;
  int node = 0;    // machine the device sits in, or kNoNode
  int socket = 0;  // CPU socket / NUMA node it hangs off
  int index = 0;   // number among the devices of its kind inside the node
};

/// kC2c joins the CPU and the GPU of a superchip.
enum class LinkKind { kNvlink, kPcie, kCpuInterconnect, kNetwork, kC2c };
std::string_view to_string(LinkKind kind);

/// A directed edge. `capacity` is what the link carries as payload for SM-issued traffic in this
/// direction (not the line rate); `lanes` counts bundled NVLinks or PCIe lanes, for display.
struct Link {
  DeviceId from;
  DeviceId to;
  LinkKind kind = LinkKind::kNvlink;
  Bandwidth capacity;
  Duration latency;
  int lanes = 1;
};

/// How NCCL sees the way between two devices (src/graph/topo.h), best first: the same device,
/// NVLink (xGMI), NVLink through another GPU, the chip-to-chip link of a superchip, one PCIe
/// switch, several, C2C and then PCIe to a NIC, another GPU's NIC, a host bridge, between sockets,
/// the network.
enum class PathType {
  kLocal,
  kNvlink,
  kNvb,
  kC2c,
  kPix,
  kPxb,
  kP2c,
  kPxn,
  kPhb,
  kSys,
  kNet,
  kDisconnected
};
/// "LOC", "NVL", "NVB", "C2C", "PIX", "PXB", "P2C", "PXN", "PHB", "SYS", "NET", "DIS"
std::string_view to_string(PathType type);

}  // namespace heddle::fabric
