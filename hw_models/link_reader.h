#pragma once
// links/*.json, schema "heddle.link/1".

#include <optional>
#include <string>

#include "hw_models/data_file.h"
#include "sim/base/units.h"
#include "sim/fabric/device.h"

namespace heddle::hw_models {

/// One NVLink, one PCIe slot, one socket-to-socket or C2C connection or one NIC port, in one
/// direction.
struct LinkModel {
  std::string name;
  fabric::LinkKind kind = fabric::LinkKind::kNvlink;
  std::optional<Bandwidth> line_rate;  // at most this on the wire; absent where only NCCL's
                                       // planning figure is known
  Bandwidth payload_rate;              // what GPU-issued stores achieve; of a NIC port, the line
  Duration latency;
  int lanes = 1;
};

std::optional<LinkModel> read_link(const DataFile& file, Diagnostics& out);

}  // namespace heddle::hw_models
