#pragma once
// The CPU sockets of an imported matrix.

#include <string>

#include "hw_models/import_matrix.h"
#include "hw_models/wiring.h"
#include "sim/base/diagnostics.h"

namespace heddle::hw_models {

/// Sets socket. By NUMA nodes where every GPU names one: in order of their numbers, spread evenly
/// over the sockets of `like` if there are more of them (AMD's NPS2 and NPS4 number socket by
/// socket). Otherwise SYS separates and everything else joins; NVLink alone says nothing, and there
/// `like` decides.
void read_sockets(const ImportMatrix& matrix, const NodeModel& like, const std::string& file,
                  Wiring& wiring, Diagnostics& out);

}  // namespace heddle::hw_models
