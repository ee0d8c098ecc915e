#pragma once
// The importer of NCCL's and RCCL's topology XML (NCCL_TOPO_DUMP_FILE, NCCL_TOPO_FILE).

#include "sim/io/import/importers.h"

namespace heddle::io {

ImporterSpec nccl_topo_xml_importer();

}  // namespace heddle::io
