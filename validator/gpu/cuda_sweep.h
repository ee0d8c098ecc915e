#pragma once
// The kernel for work that is bound by memory, as text for the driver's own assembler: it needs no
// compiler here and keeps multiprocessors as busy as an elementwise kernel does, which a copy by
// the copy engine would not. Where the driver refuses it, cudaMemcpyAsync takes its place, and the
// facts say so.

#include "validator/gpu/cuda_libraries.h"

namespace heddle::gpu {

class CudaSweep {
 public:
  /// The device must be current.
  CudaSweep(const CudaLibraries& cuda, int multiprocessors);
  const char* name() const { return function_ != nullptr ? "own kernel" : "cudaMemcpyAsync"; }
  /// Reads `bytes` at one place and writes them to the other, both aligned to 16; the rest of a
  /// size that is no multiple of 16 is left out.
  abi::Code run(abi::StreamHandle stream, void* to, const void* from, std::size_t bytes) const;

 private:
  const CudaLibraries& cuda_;
  int multiprocessors_;
  abi::FunctionHandle function_ = nullptr;
};

/// PTX for compute capability 7.5 and later.
extern const char* const kSweepText;

}  // namespace heddle::gpu
