#pragma once
// Schema "heddle.software/1": what the kernels of one software generation (framework, cuBLAS,
// attention kernels) achieve on each kind of GPU, in place of the GPU file's own shares.

#include <map>
#include <optional>
#include <string>

#include "hw_models/data_file.h"
#include "sim/model/gpu.h"

namespace heddle::hw_models {

/// Shares of peak, meanings as in model::GpuModel. What is absent keeps the GPU's own.
struct SoftwareShares {
  std::optional<double> gemm_efficiency;
  std::optional<double> attention_efficiency;
  std::optional<double> attention_backward;
  std::optional<double> overlap_cost;
  std::optional<double> hbm_efficiency;
  std::optional<double> fp8_efficiency;
};

struct Software {
  std::string name;
  std::string summary;
  std::map<std::string, SoftwareShares> gpus;  // by name in gpus/
};

std::optional<Software> read_software(const DataFile& file, Diagnostics& out);

/// `gpu` as this software uses it; a GPU that the file does not name is an error.
std::optional<model::GpuModel> apply(const Software& software, model::GpuModel gpu,
                                     Diagnostics& out);

}  // namespace heddle::hw_models
