#pragma once
// What the simulator knows of a GPU. Values come from hw_models/gpus/*.json, each with kind
// (datasheet, measured, assumed), source and date; equations in sim/model/README.md.

#include <array>
#include <string>

#include "sim/base/units.h"
#include "sim/schedule/kernel.h"

namespace heddle::model {

struct GpuModel {
  std::string name;           // "H200-SXM-141GB"
  std::string architecture;   // "ampere", "hopper": names its NCCL tuning in hw_models/nccl
  Bytes driver_memory;        // total the driver reports (about 85.1 GB on an A100 80GB)
  Bandwidth hbm;              // peak, read plus write
  double hbm_efficiency = 0;  // achieved share for streaming kernels, (0, 1]
  int sm_count = 0;
  std::array<FlopRate, schedule::kDTypeCount>
      peak{};                  // dense, by schedule::DType; zero: cannot compute in it
  double gemm_efficiency = 0;  // e_0: achieved share at a large shape over that shape's own factors
  double fp8_efficiency = 0;   // the same of fp8 products
  int tile_m = 128;
  int tile_n = 128;
  double attention_efficiency = 0;  // e_inf of fused attention, forward
  double attention_backward = 0.8;  // its backward's rate over its forward's
  double overlap_cost = 1;          // times what interference.h works out
  Duration kernel_floor;            // shortest time a kernel takes on the device
  Duration launch_latency;          // from host issue to start on an idle stream
  Bytes context;                    // CUDA context plus loaded kernels, outside the allocator
  Bytes cublas_workspace;           // per (handle, stream), inside the allocator
  Bytes nccl_base;                  // NCCL buffers of the first communicator, outside the allocator
  Bytes nccl_per_peer;              // more per further rank of the communicator, up to 8

  FlopRate peak_of(schedule::DType dtype) const { return peak[static_cast<std::size_t>(dtype)]; }
};

}  // namespace heddle::model
