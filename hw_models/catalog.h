#pragma once
// The hardware data files of this folder as a HardwareCatalog. See README.md for how a number gets
// in.

#include <memory>
#include <string>

#include "sim/run/hardware_catalog.h"

namespace heddle::hw_models {

/// `folder` holds gpus/, links/, nccl/, networks/ and nodes/. Files are read when first asked for.
std::unique_ptr<run::HardwareCatalog> open_catalog(const std::string& folder);

}  // namespace heddle::hw_models
