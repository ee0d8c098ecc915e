#pragma once
// The libraries behind cuda_abi.h, loaded.

#include <string>

#include "validator/gpu/cuda_abi.h"

namespace heddle::gpu {

struct CudaLibraries {
  abi::CudaRuntime runtime;
  abi::CudaDriver driver;
  abi::BlasLt blas;
  abi::Nccl nccl;
  abi::Nvml nvml;
  bool has_nvml = false;  // it is optional
  /// What is missing, where it was looked for; "" if everything needed is there.
  std::string missing;
};

/// Opens libcuda, libcudart, libcublasLt, libnccl and, if there is one, libnvidia-ml.
CudaLibraries load_cuda();

}  // namespace heddle::gpu
