#pragma once
// hwloc's matrix "NVLinkBandwidth" as links of GPUs. Its values are the line rate of all links of a
// pair in MB/s, so links = value / line rate of one link: 20000 of NVLink 1 (P100), 50000 of
// NVLink 5 (B200, B300, GB200), 25000 of the others.

#include <string>

#include "sim/base/diagnostics.h"
#include "sim/io/import/lstopo_objects.h"
#include "sim/io/import/xml_tree.h"

namespace heddle::io {

/// Errors where the matrix is not square or a value is not a whole number of links.
void add_lstopo_links(const XmlElement& topology, const std::string& file, LstopoMachine& machine,
                      Diagnostics& out);

}  // namespace heddle::io
