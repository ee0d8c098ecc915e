#pragma once
// Which nccl file covers a version of NCCL on a GPU architecture.

#include <optional>
#include <string>

#include "hw_models/data_folder.h"
#include "sim/collective/nccl_tuning.h"

namespace heddle::hw_models {

/// `version` as "2.18"; empty: the newest. No such architecture or version: a diagnostic that
/// lists what there is.
std::optional<collective::NcclTuning> find_nccl(const DataFolder& files,
                                                const std::string& architecture,
                                                const std::string& version, Diagnostics& out);

}  // namespace heddle::hw_models
