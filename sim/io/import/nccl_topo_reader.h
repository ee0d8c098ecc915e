#pragma once
// <system> elements as NcclTopo. All faults are reported at once; elements NCCL has added since are
// left out with a warning, unknown attributes are ignored as NCCL ignores them.

#include <optional>
#include <string>

#include "sim/base/diagnostics.h"
#include "sim/io/import/nccl_topo.h"
#include "sim/io/import/xml_tree.h"

namespace heddle::io {

std::optional<NcclTopo> read_nccl_topo(const XmlElement& system, const std::string& file,
                                       Diagnostics& out);

/// "00000000:0F:00.0" as "0000:0f:00.0"; none if it is no bus id.
std::optional<std::string> canonical_busid(std::string_view text);

}  // namespace heddle::io
