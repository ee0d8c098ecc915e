#pragma once
// A fabric file (fabric_file.h) among the texts that can be imported. Its matrix is what
// `nvidia-smi topo -m` would print on such a machine.

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sim/io/import/imported.h"
#include "sim/io/import/importers.h"

namespace heddle::io {

struct FabricFile;

struct HeddleFabricDetails : ImportDetails {
  std::shared_ptr<const FabricFile> file;
  void write(JsonWriter& writer) const override;  // name, gpu, devices, links
};

/// The matrix is left empty for a fabric of several machines.
ImporterSpec heddle_fabric_importer();

}  // namespace heddle::io
