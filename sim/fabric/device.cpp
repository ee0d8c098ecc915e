#include "sim/fabric/device.h"

#include <array>

namespace heddle::fabric {
namespace {

template <std::size_t N, typename Enum>
std::string_view name_of(const std::array<std::string_view, N>& names, Enum value) {
  return names[static_cast<std::size_t>(value)];
}

}  // namespace

std::string_view to_string(DeviceKind kind) {
  static constexpr std::array<std::string_view, 6> kNames = {"GPU", "NVSwitch", "PCIe switch",
                                                             "CPU", "NIC",      "network switch"};
  return name_of(kNames, kind);
}

std::string_view to_string(LinkKind kind) {
  static constexpr std::array<std::string_view, 5> kNames = {"NVLink", "PCIe", "CPU interconnect",
                                                             "network", "NVLink-C2C"};
  return name_of(kNames, kind);
}

std::string_view to_string(PathType type) {
  static constexpr std::array<std::string_view, 12> kNames = {
      "LOC", "NVL", "NVB", "C2C", "PIX", "PXB", "P2C", "PXN", "PHB", "SYS", "NET", "DIS"};
  return name_of(kNames, type);
}

}  // namespace heddle::fabric
