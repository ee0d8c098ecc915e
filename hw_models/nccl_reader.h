#pragma once
// nccl/VERSION/*.json, schema "heddle.nccl/2": NCCL's own constants for one GPU architecture and a
// range of NCCL versions, and how its steps are timed.

#include <optional>

#include "hw_models/data_file.h"
#include "sim/collective/nccl_tuning.h"

namespace heddle::hw_models {

std::optional<collective::NcclTuning> read_nccl(const DataFile& file, Diagnostics& out);

}  // namespace heddle::hw_models
