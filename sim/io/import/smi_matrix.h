#pragma once
// The matrix of `nvidia-smi topo -m`, -mp and -p2p, row by row.

#include <string>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/io/import/imported.h"
#include "sim/io/import/smi_header.h"

namespace heddle::io {

/// Fills gpus, nics (as the columns are called), gpu_matrix, gpu_nic and inferences. Faults:
///   errors    no table, no rows, a word that is no cell, a diagonal that is not X, two different
///             rows of one GPU, rows or columns of GPUs that cannot be
///   warnings  rows that are missing or end early (their cells are none), cells that contradict
///             their mirror image, values that had run together, words beyond the columns
/// False after an error.
bool read_smi_matrix(const std::vector<PlainLine>& lines, SmiTable table, const std::string& file,
                     Imported& imported, Diagnostics& out);

}  // namespace heddle::io
