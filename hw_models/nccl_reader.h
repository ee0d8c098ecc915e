#pragma once
// nccl/*.json, schema "heddle.nccl/1": NCCL's own constants for one GPU architecture.

#include <optional>

#include "hw_models/data_file.h"
#include "sim/collective/nccl_tuning.h"

namespace heddle::hw_models {

std::optional<collective::NcclTuning> read_nccl(const DataFile& file, Diagnostics& out);

}  // namespace heddle::hw_models
