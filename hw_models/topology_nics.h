#pragma once
// The sockets that the NICs of an imported matrix hang off.

#include <vector>

#include "hw_models/import_matrix.h"
#include "hw_models/wiring.h"

namespace heddle::hw_models {

/// The socket of the GPU a NIC is nearest to, if that is nearer than SYS. Otherwise a socket of
/// `like` without GPUs, or, if all have some, the sockets in order: the text does not say.
std::vector<NicPlace> place_nics(const ImportMatrix& matrix, const NodeModel& like,
                                 const std::vector<int>& socket);

}  // namespace heddle::hw_models
