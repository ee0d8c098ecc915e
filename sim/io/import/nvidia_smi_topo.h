#pragma once
// What `nvidia-smi topo -m` and -mp print: how every two GPUs and every GPU and NIC are joined.
// NIC names come from the legend. Warned of: -mp, which hides NVLink; a garbled legend.

#include <optional>
#include <string>
#include <string_view>

#include "sim/io/import/imported.h"
#include "sim/io/import/importers.h"

namespace heddle::io {

struct NvidiaSmiTopoDetails : ImportDetails {
  bool nvlink_hidden = false;  // printed by -mp: no NV# there does not mean no NVLink
  void write(JsonWriter& writer) const override;
};

ImporterSpec nvidia_smi_topo_importer();

}  // namespace heddle::io
