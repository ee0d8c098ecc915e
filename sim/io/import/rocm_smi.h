#pragma once
// The importer of `rocm-smi --showtopo` and its parts (--showtopotype, --showtopoweight,
// --showtopohops, --showtoponuma).

#include <optional>
#include <vector>

#include "sim/io/import/importers.h"

namespace heddle::io {

/// Rows and columns by GPU in ascending order; none where the text lacks a cell. Empty if the text
/// has no such table.
using RocmTable = std::vector<std::vector<std::optional<int>>>;

/// Writes "weight" (KFD's distance; xGMI 15 per hop, PCIe more) and "hops", as printed.
struct RocmSmiDetails : ImportDetails {
  RocmTable weight;
  RocmTable hops;

  void write(JsonWriter& writer) const override;
};

/// `details` of what it reads is a RocmSmiDetails.
ImporterSpec rocm_smi_importer();

}  // namespace heddle::io
