#include "sim/io/fabric_words.h"

#include <array>

namespace heddle::io {

Vocabulary<fabric::DeviceKind> device_kinds() {
  using fabric::DeviceKind;
  static constexpr std::array<Word<DeviceKind>, 6> kWords{
      {{"gpu", DeviceKind::kGpu},
       {"nvswitch", DeviceKind::kNvSwitch},
       {"pcie-switch", DeviceKind::kPcieSwitch},
       {"cpu", DeviceKind::kCpu},
       {"nic", DeviceKind::kNic},
       {"network-switch", DeviceKind::kNetSwitch}}};
  return {"device", kWords};
}

Vocabulary<fabric::LinkKind> link_kinds() {
  using fabric::LinkKind;
  static constexpr std::array<Word<LinkKind>, 5> kWords{
      {{"nvlink", LinkKind::kNvlink},
       {"pcie", LinkKind::kPcie},
       {"cpu-interconnect", LinkKind::kCpuInterconnect},
       {"network", LinkKind::kNetwork},
       {"c2c", LinkKind::kC2c}}};
  return {"link", kWords};
}

}  // namespace heddle::io
