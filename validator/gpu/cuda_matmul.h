#pragma once
// Products by cuBLASLt: one plan per shape, the first algorithm of its heuristic.

#include <map>
#include <mutex>
#include <string>

#include "validator/gpu/cuda_libraries.h"
#include "validator/gpu/gpu.h"

namespace heddle::gpu {

class CudaMatmul {
 public:
  explicit CudaMatmul(const CudaLibraries& cuda) : cuda_(cuda) {}
  CudaMatmul(const CudaMatmul&) = delete;
  CudaMatmul& operator=(const CudaMatmul&) = delete;
  ~CudaMatmul();

  Problem run(abi::StreamHandle stream, const Matmul& shape, Address a, Address b, Address c);

 private:
  struct Plan {
    abi::BlasPart matmul = nullptr;
    abi::BlasPart left = nullptr;  // column-major, so B and A change places
    abi::BlasPart right = nullptr;
    abi::BlasPart out = nullptr;
    abi::BlasHeuristic heuristic{};
  };
  Problem open();
  Problem plan_for(const Matmul& shape, const Plan*& plan);
  Problem make(const Matmul& shape, Plan& plan);
  Problem layout(const Matmul& shape, std::int64_t rows, std::int64_t columns, abi::BlasPart& part);
  /// Workspaces are a stream's own: two products on different streams run at once.
  Problem workspace_for(abi::StreamHandle stream, void*& workspace);

  const CudaLibraries& cuda_;
  std::mutex mutex_;
  abi::BlasHandle handle_ = nullptr;
  std::map<Matmul, Plan> plans_;
  std::map<abi::StreamHandle, void*> workspaces_;
};

}  // namespace heddle::gpu
