#pragma once
// Device work that only moves bytes: casts, copies, fills, optimizer passes.

#include "sim/schedule/kernel.h"

namespace heddle::parallel {

/// `traffic` is HBM bytes read plus written over all `launches`.
inline schedule::Kernel memory_kernel(Bytes traffic, int launches = 1) {
  schedule::Kernel kernel;
  kernel.kind = schedule::KernelKind::kMemory;
  kernel.dtype = schedule::DType::kFloat32;
  kernel.bytes = traffic;
  kernel.launches = launches;
  return kernel;
}

/// Reads `bytes` and writes as many.
inline schedule::Kernel copy_kernel(Bytes bytes) {
  return memory_kernel(bytes * 2);
}

}  // namespace heddle::parallel
