#include "sim/io/import/importers.h"

#include <vector>

namespace heddle::io {

std::span<const ImporterSpec> importers() {
  static const std::vector<ImporterSpec> kTable{
      // One line per importer.
  };
  return kTable;
}

}  // namespace heddle::io
