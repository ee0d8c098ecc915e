#pragma once
// gpus/*.json, schema "heddle.gpu/1".

#include <optional>
#include <string>

#include "hw_models/data_file.h"
#include "sim/model/gpu.h"
#include "sim/run/hardware_catalog.h"

namespace heddle::hw_models {

struct GpuFile {
  model::GpuModel gpu;
  std::string summary;
  run::GpuFacts facts;
};

std::optional<GpuFile> read_gpu(const DataFile& file, Diagnostics& out);

}  // namespace heddle::hw_models
