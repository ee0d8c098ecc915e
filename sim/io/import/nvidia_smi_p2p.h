#pragma once
// What `nvidia-smi topo -p2p` prints: whether two GPUs may read, write, ... each other's memory.

#include <optional>
#include <string>
#include <string_view>

#include "sim/io/import/imported.h"
#include "sim/io/import/importers.h"

namespace heddle::io {

struct NvidiaSmiP2pDetails : ImportDetails {
  /// r (read), w (write), n (NVLink), a (atomics), p (PCIe); empty where no command line says.
  std::string capability;
  void write(JsonWriter& writer) const override;
};

ImporterSpec nvidia_smi_p2p_importer();

}  // namespace heddle::io
