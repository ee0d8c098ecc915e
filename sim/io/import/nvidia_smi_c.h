#pragma once
// What `nvidia-smi topo -C -i N` prints: "NUMA IDs of closest CPU: 1", once for every GPU asked
// about. GPUs are numbered as the command line asks, in order of the lines where it is missing.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/io/import/imported.h"
#include "sim/io/import/importers.h"

namespace heddle::io {

struct NvidiaSmiCDetails : ImportDetails {
  std::vector<std::optional<std::string>> closest_cpu_numa;  // of each GPU, none for N/A
  void write(JsonWriter& writer) const override;
};

ImporterSpec nvidia_smi_c_importer();

}  // namespace heddle::io
