#pragma once
// An imported machine as a fabric file, with the origin of every number.

#include <string>

#include "hw_models/data_folder.h"
#include "hw_models/import_fabric.h"

namespace heddle::hw_models {

/// Link origins are those of the payload rates in hw_models/links; a link of a kind that the host
/// does not name comes from the text itself.
std::string import_file(const ImportedFabric& imported, const run::ImportedText& source,
                        const DataFolder& files);

}  // namespace heddle::hw_models
