#pragma once
// A rank on a GPU with a fault in it where a test wants one.

#include "validator/gpu_rank/faulty_gpu.h"
#include "validator/gpu_rank/gpu_device.h"

namespace heddle::gpu_rank {

namespace detail {

/// Made before the device that uses it and gone after it.
struct OwnFault {
  FaultyGpu faulty;
};

}  // namespace detail

class GpuRank : private detail::OwnFault, public GpuDevice {
 public:
  /// As GpuDevice.
  GpuRank(gpu::Gpu& gpu, const schedule::Schedule& schedule, int rank, device::Assembly& assembly,
          const GpuLimits& limits, const execute::Fault& fault, const device::Clock& clock)
      : OwnFault{{gpu, fault}}, GpuDevice(faulty, schedule, rank, assembly, limits, clock) {}

  /// Faults of collectives count from the run on, not what warms it up.
  std::optional<device::Failure> begin(const device::RunSettings& settings) override {
    auto problem = GpuDevice::begin(settings);
    faulty.arm();
    return problem;
  }
  /// To the GPU so far.
  std::int64_t calls() const { return faulty.calls(); }
};

}  // namespace heddle::gpu_rank
