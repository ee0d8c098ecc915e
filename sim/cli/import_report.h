#pragma once
// What was imported, as an engineer wants to read it.

#include <string>

#include "sim/base/diagnostics.h"
#include "sim/io/import/imported.h"
#include "sim/io/import/importers.h"

namespace heddle::cli {

/// The matrix with NUMA and CPU affinity, where NICs sit, islands of NVLink and what they are,
/// what was concluded, warnings. Kinds without a matrix print their details.
std::string import_text(const io::Imported& imported, const io::ImporterSpec& importer,
                        const std::string& file, const Diagnostics& found);

}  // namespace heddle::cli
