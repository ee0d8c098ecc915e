#include "validator/gpu/cuda_matmul.h"

#include <fmt/format.h>

namespace heddle::gpu {
namespace {

constexpr std::size_t kWorkspace = std::size_t{32} << 20;  // what PyTorch gives Hopper

Problem blas_problem(abi::Code code, const char* call, const Matmul& s) {
  if (code == 0) return std::nullopt;
  return device::Failure{device::FailureKind::kAsyncError,
                         fmt::format("{} answered {} for {} x {} x {} x {}, {}", call, code,
                                     s.batch, s.m, s.n, s.k, to_string(s.dtype))};
}

int data_type(schedule::DType dtype) {
  switch (dtype) {
    case schedule::DType::kBFloat16:
      return abi::kDataBFloat16;
    case schedule::DType::kFloat16:
      return abi::kDataFloat16;
    default:
      return abi::kDataFloat32;
  }
}

}  // namespace

CudaMatmul::~CudaMatmul() {
  for (auto& [shape, plan] : plans_) {
    cuda_.blas.matmul_destroy(plan.matmul);
    for (abi::BlasPart part : {plan.left, plan.right, plan.out}) cuda_.blas.layout_destroy(part);
  }
  for (auto& [stream, workspace] : workspaces_) cuda_.runtime.free(workspace);
  if (handle_ != nullptr) cuda_.blas.destroy(handle_);
}

Problem CudaMatmul::open() {
  if (handle_ != nullptr) return std::nullopt;
  return blas_problem(cuda_.blas.create(&handle_), "cublasLtCreate", {});
}

Problem CudaMatmul::workspace_for(abi::StreamHandle stream, void*& workspace) {
  const auto found = workspaces_.find(stream);
  if (found != workspaces_.end()) {
    workspace = found->second;
    return std::nullopt;
  }
  if (cuda_.runtime.malloc(&workspace, kWorkspace) != 0) {
    return device::Failure{device::FailureKind::kOutOfMemory, "no room for cuBLASLt's workspace"};
  }
  workspaces_.emplace(stream, workspace);
  return std::nullopt;
}

Problem CudaMatmul::layout(const Matmul& s, std::int64_t rows, std::int64_t columns,
                           abi::BlasPart& part) {
  const auto r = static_cast<std::uint64_t>(rows);
  const auto c = static_cast<std::uint64_t>(columns);
  const abi::Code made = cuda_.blas.layout_create(&part, data_type(s.dtype), r, c, rows);
  if (auto problem = blas_problem(made, "cublasLtMatrixLayoutCreate", s)) return problem;
  const auto batch = static_cast<std::int32_t>(s.batch);
  const std::int64_t stride = rows * columns;
  const abi::Code count = cuda_.blas.layout_set(part, abi::kLayoutBatchCount, &batch, sizeof batch);
  if (auto problem = blas_problem(count, "the batch count", s)) return problem;
  return blas_problem(cuda_.blas.layout_set(part, abi::kLayoutBatchStride, &stride, sizeof stride),
                      "the batch stride", s);
}

/// Row-major C = A B is column-major C' = B' A': n x m from n x k and k x m.
Problem CudaMatmul::make(const Matmul& s, Plan& plan) {
  const int compute =
      s.dtype == schedule::DType::kTensorFloat32 ? abi::kComputeFastTf32 : abi::kComputeFloat32;
  const abi::Code made = cuda_.blas.matmul_create(&plan.matmul, compute, abi::kDataFloat32);
  if (auto problem = blas_problem(made, "cublasLtMatmulDescCreate", s)) return problem;
  if (auto problem = layout(s, s.n, s.k, plan.left)) return problem;
  if (auto problem = layout(s, s.k, s.m, plan.right)) return problem;
  if (auto problem = layout(s, s.n, s.m, plan.out)) return problem;
  abi::BlasPart preference = nullptr;
  const abi::Code preferred = cuda_.blas.preference_create(&preference);
  if (auto problem = blas_problem(preferred, "cublasLtMatmulPreferenceCreate", s)) return problem;
  cuda_.blas.preference_set(preference, abi::kPreferenceWorkspace, &kWorkspace, sizeof kWorkspace);
  int found = 0;
  const abi::Code chosen =
      cuda_.blas.heuristic(handle_, plan.matmul, plan.left, plan.right, plan.out, plan.out,
                           preference, 1, &plan.heuristic, &found);
  cuda_.blas.preference_destroy(preference);
  if (auto problem = blas_problem(chosen, "cublasLtMatmulAlgoGetHeuristic", s)) return problem;
  return blas_problem(found == 0 ? -1 : plan.heuristic.state, "the heuristic", s);
}

Problem CudaMatmul::plan_for(const Matmul& shape, const Plan*& plan) {
  const auto found = plans_.find(shape);
  if (found != plans_.end()) {
    plan = &found->second;
    return std::nullopt;
  }
  Plan made;
  if (auto problem = make(shape, made)) return problem;
  plan = &plans_.emplace(shape, made).first->second;
  return std::nullopt;
}

Problem CudaMatmul::run(abi::StreamHandle stream, const Matmul& shape, Address a, Address b,
                        Address c) {
  const std::lock_guard lock(mutex_);
  const Plan* plan = nullptr;
  void* workspace = nullptr;
  if (auto problem = open()) return problem;
  if (auto problem = plan_for(shape, plan)) return problem;
  if (auto problem = workspace_for(stream, workspace)) return problem;
  constexpr float kOne = 1;
  constexpr float kZero = 0;
  const abi::Code code = cuda_.blas.matmul(
      handle_, plan->matmul, &kOne, b, plan->left, a, plan->right, &kZero, c, plan->out, c,
      plan->out, &plan->heuristic.algorithm, workspace, kWorkspace, stream);
  return blas_problem(code, "cublasLtMatmul", shape);
}

}  // namespace heddle::gpu
