#pragma once
// Reads the matrix that `nvidia-smi topo -m` prints, also out of a longer report: terminal colours,
// tabs or spaces, CRLF, a legend, a line prefix and text around it are no obstacle. A cell that is
// missing, unknown or contradicts its mirror image is refused, never guessed.

#include <optional>
#include <string>
#include <string_view>

#include "sim/base/diagnostics.h"
#include "sim/io/topo_matrix.h"

namespace heddle::io {

/// nullopt with every problem found; `file` and 1-based lines go into the diagnostics.
std::optional<TopoMatrix> read_nvidia_smi_topo(std::string_view text, const std::string& file,
                                               Diagnostics& out);

}  // namespace heddle::io
