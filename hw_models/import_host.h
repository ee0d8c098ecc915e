#pragma once
// The node preset that supplies what an imported text does not say.

#include <optional>
#include <string>
#include <vector>

#include "hw_models/import_fabric.h"

namespace heddle::hw_models {

/// By name, by GPU, or by the model the text names; see fabric_of. What was concluded is added to
/// `inferences`.
std::optional<NodeParts> choose_host(const io::Imported& imported, const run::ImportedText& source,
                                     const ImportShelf& shelf,
                                     std::vector<io::Inference>& inferences, Diagnostics& out);

}  // namespace heddle::hw_models
