#include "sim/io/import/importers.h"

#include <vector>

#include "sim/io/import/lstopo.h"
#include "sim/io/import/nccl_log.h"
#include "sim/io/import/nccl_tests.h"
#include "sim/io/import/nccl_topo_xml.h"
#include "sim/io/import/rocm_smi.h"

namespace heddle::io {

std::span<const ImporterSpec> importers() {
  static const std::vector<ImporterSpec> kTable{
      nccl_tests_importer(),
      nccl_log_importer(),
      // One line per importer.
      nccl_topo_xml_importer(),
      lstopo_importer(),
      rocm_smi_importer(),
  };
  return kTable;
}

}  // namespace heddle::io
