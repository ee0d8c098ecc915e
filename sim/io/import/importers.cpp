#include "sim/io/import/importers.h"

#include <vector>

#include "sim/io/import/heddle_fabric.h"
#include "sim/io/import/lstopo.h"
#include "sim/io/import/nccl_log.h"
#include "sim/io/import/nccl_tests.h"
#include "sim/io/import/nccl_topo_xml.h"
#include "sim/io/import/nvidia_smi_c.h"
#include "sim/io/import/nvidia_smi_p2p.h"
#include "sim/io/import/nvidia_smi_topo.h"
#include "sim/io/import/rocm_smi.h"

namespace heddle::io {

std::span<const ImporterSpec> importers() {
  static const std::vector<ImporterSpec> kTable{
      // One line per importer.
      nccl_tests_importer(),     nccl_log_importer(),     nccl_topo_xml_importer(),
      lstopo_importer(),         rocm_smi_importer(),     nvidia_smi_topo_importer(),
      nvidia_smi_p2p_importer(), nvidia_smi_c_importer(), heddle_fabric_importer(),
  };
  return kTable;
}

}  // namespace heddle::io
