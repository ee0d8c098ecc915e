#pragma once
// NCCL behind the interface: communicators that do not block, polled.

#include "validator/gpu/cuda_libraries.h"
#include "validator/gpu/gpu.h"

namespace heddle::gpu {

class CudaNccl {
 public:
  explicit CudaNccl(const CudaLibraries& cuda) : cuda_(cuda) {}

  Problem unique_id(UniqueId& id) const;
  Problem join(const UniqueId& id, int size, int position, Communicator& communicator) const;
  Problem settled(Communicator communicator, bool& settled) const;
  Problem collective(Communicator communicator, abi::StreamHandle stream,
                     const CollectiveCall& call, int size, int position) const;
  void leave(Communicator communicator) const;
  void abort(Communicator communicator) const;

 private:
  Problem problem_of(abi::Code code, abi::NcclHandle handle, const char* call) const;
  abi::Code exchange(abi::NcclHandle handle, abi::StreamHandle stream, const CollectiveCall& call,
                     int size, int position) const;
  abi::Code start(abi::NcclHandle handle, abi::StreamHandle stream,
                  const CollectiveCall& call) const;

  const CudaLibraries& cuda_;
};

/// "2.28.9" for 22809, NCCL's way to write versions.
std::string nccl_version_text(int code);

}  // namespace heddle::gpu
