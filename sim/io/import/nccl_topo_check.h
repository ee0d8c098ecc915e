#pragma once
// What a read NcclTopo contradicts itself in (errors) and what in it makes doubtful (warnings).

#include <string>

#include "sim/base/diagnostics.h"
#include "sim/io/import/nccl_topo.h"

namespace heddle::io {

void check_nccl_topo(const NcclTopo& topo, int line, const std::string& file, Diagnostics& out);

}  // namespace heddle::io
