#pragma once
// What was imported, as `heddle import --format json` prints it.

#include <optional>
#include <string>

#include "sim/base/diagnostics.h"
#include "sim/io/import/imported.h"
#include "sim/io/import/importers.h"

namespace heddle::io {

class JsonWriter;

/// "1" as the number 1, lists and ranges as text, none as null.
void write_numa(const std::optional<std::string>& numa, JsonWriter& writer);

/// Keys in order: kind, file, gpu_matrix, numa, cpu_affinity, gpu_numa_id, bus_ids, models, nics,
/// gpu_nic, inferences, warnings, and details with the keys of the kind. `found` may hold errors of
/// others; its warnings are printed.
std::string import_json(const Imported& imported, const ImporterSpec& importer,
                        const std::string& file, const Diagnostics& found);

}  // namespace heddle::io
