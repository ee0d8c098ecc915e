#include "sim/io/import/importers.h"

#include <vector>

#include "sim/io/import/nccl_log.h"
#include "sim/io/import/nccl_tests.h"

namespace heddle::io {

std::span<const ImporterSpec> importers() {
  static const std::vector<ImporterSpec> kTable{
      nccl_tests_importer(),
      nccl_log_importer(),
  };
  return kTable;
}

}  // namespace heddle::io
