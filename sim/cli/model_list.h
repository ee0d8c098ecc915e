#pragma once
// The models that come with the program: a folder each, with its config.json.

#include <string>
#include <vector>

#include "sim/run/hardware_catalog.h"

namespace heddle::cli {

/// Name and a line on each, sorted by name. A config.json that cannot be read says so in its line.
std::vector<run::CatalogEntry> list_models(const std::string& folder);

}  // namespace heddle::cli
