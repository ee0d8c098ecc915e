// Our declarations against NVIDIA's, where those are found: every constant equal, every function of
// the same number of parameters, each as large and of the same kind. Most of it is checked by
// compiling this.

#include <gtest/gtest.h>

#ifdef HEDDLE_CUDA_HEADERS
// Their headers, not ours to mend.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#include <cublasLt.h>
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <nccl.h>
#pragma GCC diagnostic pop

#include <cstddef>
#include <tuple>
#include <type_traits>

#include "validator/gpu/cuda_abi.h"

namespace heddle::gpu::abi {
namespace {

/// What decides how a value is passed.
template <typename T>
constexpr std::tuple<std::size_t, bool, bool, bool> kPassed{
    sizeof(T), std::is_pointer_v<T>, std::is_floating_point_v<T>, std::is_class_v<T>};

template <typename Ours, typename Theirs>
struct Same : std::false_type {};
template <typename R, typename... P, typename S, typename... Q>
struct Same<R (*)(P...), S (*)(Q...)> {
  static constexpr bool value = [] {
    if constexpr (sizeof...(P) != sizeof...(Q)) {
      return false;
    } else {
      return kPassed<R> == kPassed<S> && ((kPassed<P> == kPassed<Q>)&&...);
    }
  }();
};

#define HEDDLE_SAME(table, member, theirs) \
  static_assert(Same<decltype(table::member), decltype(&theirs)>::value, #theirs)
// Of an overloaded function the one with this signature, which must be there.
#define HEDDLE_SAME_OF(table, member, theirs, signature) \
  static_assert(Same<decltype(table::member), decltype(static_cast<signature>(&theirs))>::value)

HEDDLE_SAME(CudaRuntime, get_device_count, ::cudaGetDeviceCount);
HEDDLE_SAME(CudaRuntime, set_device, ::cudaSetDevice);
HEDDLE_SAME(CudaRuntime, device_attribute, ::cudaDeviceGetAttribute);
HEDDLE_SAME(CudaRuntime, device_bus_id, ::cudaDeviceGetPCIBusId);
HEDDLE_SAME(CudaRuntime, driver_version, ::cudaDriverGetVersion);
HEDDLE_SAME(CudaRuntime, runtime_version, ::cudaRuntimeGetVersion);
HEDDLE_SAME(CudaRuntime, error_string, ::cudaGetErrorString);
HEDDLE_SAME(CudaRuntime, last_error, ::cudaGetLastError);
HEDDLE_SAME_OF(CudaRuntime, malloc, ::cudaMalloc, cudaError_t (*)(void**, size_t));
HEDDLE_SAME(CudaRuntime, free, ::cudaFree);
HEDDLE_SAME_OF(CudaRuntime, malloc_async, ::cudaMallocAsync,
               cudaError_t (*)(void**, size_t, cudaStream_t));
HEDDLE_SAME(CudaRuntime, free_async, ::cudaFreeAsync);
HEDDLE_SAME_OF(CudaRuntime, host_alloc, ::cudaHostAlloc, cudaError_t (*)(void**, size_t, unsigned));
HEDDLE_SAME(CudaRuntime, free_host, ::cudaFreeHost);
HEDDLE_SAME(CudaRuntime, mem_get_info, ::cudaMemGetInfo);
HEDDLE_SAME(CudaRuntime, stream_priority_range, ::cudaDeviceGetStreamPriorityRange);
HEDDLE_SAME(CudaRuntime, stream_create, ::cudaStreamCreateWithPriority);
HEDDLE_SAME(CudaRuntime, stream_destroy, ::cudaStreamDestroy);
HEDDLE_SAME(CudaRuntime, stream_wait_event, ::cudaStreamWaitEvent);
HEDDLE_SAME(CudaRuntime, event_create, ::cudaEventCreateWithFlags);
HEDDLE_SAME(CudaRuntime, event_destroy, ::cudaEventDestroy);
HEDDLE_SAME(CudaRuntime, event_record, ::cudaEventRecord);
HEDDLE_SAME(CudaRuntime, event_query, ::cudaEventQuery);
HEDDLE_SAME(CudaRuntime, event_elapsed, ::cudaEventElapsedTime);
HEDDLE_SAME(CudaRuntime, memcpy_async, ::cudaMemcpyAsync);
HEDDLE_SAME(CudaRuntime, launch_host, ::cudaLaunchHostFunc);

HEDDLE_SAME(CudaDriver, init, ::cuInit);
HEDDLE_SAME(CudaDriver, device_get, ::cuDeviceGet);
HEDDLE_SAME(CudaDriver, device_name, ::cuDeviceGetName);
HEDDLE_SAME(CudaDriver, module_load, ::cuModuleLoadData);
HEDDLE_SAME(CudaDriver, module_function, ::cuModuleGetFunction);
HEDDLE_SAME(CudaDriver, launch, ::cuLaunchKernel);

HEDDLE_SAME(BlasLt, create, ::cublasLtCreate);
HEDDLE_SAME(BlasLt, destroy, ::cublasLtDestroy);
HEDDLE_SAME(BlasLt, version, ::cublasLtGetVersion);
HEDDLE_SAME(BlasLt, matmul_create, ::cublasLtMatmulDescCreate);
HEDDLE_SAME(BlasLt, matmul_destroy, ::cublasLtMatmulDescDestroy);
HEDDLE_SAME(BlasLt, layout_create, ::cublasLtMatrixLayoutCreate);
HEDDLE_SAME(BlasLt, layout_destroy, ::cublasLtMatrixLayoutDestroy);
HEDDLE_SAME(BlasLt, layout_set, ::cublasLtMatrixLayoutSetAttribute);
HEDDLE_SAME(BlasLt, preference_create, ::cublasLtMatmulPreferenceCreate);
HEDDLE_SAME(BlasLt, preference_destroy, ::cublasLtMatmulPreferenceDestroy);
HEDDLE_SAME(BlasLt, preference_set, ::cublasLtMatmulPreferenceSetAttribute);
HEDDLE_SAME(BlasLt, heuristic, ::cublasLtMatmulAlgoGetHeuristic);
HEDDLE_SAME(BlasLt, matmul, ::cublasLtMatmul);

HEDDLE_SAME(Nccl, version, ::ncclGetVersion);
HEDDLE_SAME(Nccl, error_string, ::ncclGetErrorString);
HEDDLE_SAME(Nccl, last_error, ::ncclGetLastError);
HEDDLE_SAME(Nccl, unique_id, ::ncclGetUniqueId);
HEDDLE_SAME(Nccl, init, ::ncclCommInitRankConfig);
HEDDLE_SAME(Nccl, async_error, ::ncclCommGetAsyncError);
HEDDLE_SAME(Nccl, finalize, ::ncclCommFinalize);
HEDDLE_SAME(Nccl, destroy, ::ncclCommDestroy);
HEDDLE_SAME(Nccl, abort, ::ncclCommAbort);
HEDDLE_SAME(Nccl, group_start, ::ncclGroupStart);
HEDDLE_SAME(Nccl, group_end, ::ncclGroupEnd);
HEDDLE_SAME(Nccl, all_reduce, ::ncclAllReduce);
HEDDLE_SAME(Nccl, all_gather, ::ncclAllGather);
HEDDLE_SAME(Nccl, reduce_scatter, ::ncclReduceScatter);
HEDDLE_SAME(Nccl, broadcast, ::ncclBroadcast);
HEDDLE_SAME(Nccl, reduce, ::ncclReduce);
HEDDLE_SAME(Nccl, send, ::ncclSend);
HEDDLE_SAME(Nccl, receive, ::ncclRecv);
#undef HEDDLE_SAME
#undef HEDDLE_SAME_OF

static_assert(kCudaMemoryAllocation == cudaErrorMemoryAllocation);
static_assert(kCudaInsufficientDriver == cudaErrorInsufficientDriver);
static_assert(kCudaNoDevice == cudaErrorNoDevice);
static_assert(kCudaNotReady == cudaErrorNotReady);
static_assert(kAttributeMultiprocessors == cudaDevAttrMultiProcessorCount);
static_assert(kAttributeL2Bytes == cudaDevAttrL2CacheSize);
static_assert(kStreamNonBlocking == cudaStreamNonBlocking);
static_assert(kEventDefault == cudaEventDefault);
static_assert(kEventDisableTiming == cudaEventDisableTiming);
static_assert(kHostAllocDefault == cudaHostAllocDefault);
static_assert(kCopyHostToDevice == cudaMemcpyHostToDevice);
static_assert(kCopyDeviceToHost == cudaMemcpyDeviceToHost);
static_assert(kCopyDeviceToDevice == cudaMemcpyDeviceToDevice);
static_assert(kDataFloat32 == CUDA_R_32F);
static_assert(kDataFloat16 == CUDA_R_16F);
static_assert(kDataBFloat16 == CUDA_R_16BF);
static_assert(kComputeFloat32 == CUBLAS_COMPUTE_32F);
static_assert(kComputeFastTf32 == CUBLAS_COMPUTE_32F_FAST_TF32);
static_assert(kLayoutBatchCount == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT);
static_assert(kLayoutBatchStride == CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET);
static_assert(kPreferenceWorkspace == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES);
static_assert(sizeof(BlasAlgorithm) == sizeof(cublasLtMatmulAlgo_t));
static_assert(sizeof(BlasHeuristic) == sizeof(cublasLtMatmulHeuristicResult_t));
static_assert(offsetof(BlasHeuristic, workspace) ==
              offsetof(cublasLtMatmulHeuristicResult_t, workspaceSize));
static_assert(offsetof(BlasHeuristic, state) == offsetof(cublasLtMatmulHeuristicResult_t, state));
static_assert(kNcclInProgress == ncclInProgress);
static_assert(kNcclFloat16 == ncclFloat16);
static_assert(kNcclFloat32 == ncclFloat32);
static_assert(kNcclBFloat16 == ncclBfloat16);
static_assert(kNcclSum == ncclSum);
static_assert(kNcclUndefined == NCCL_CONFIG_UNDEF_INT);
static_assert(sizeof(NcclId) == sizeof(ncclUniqueId));
static_assert(sizeof(NcclConfig) <= sizeof(ncclConfig_t));
static_assert(offsetof(NcclConfig, magic) == offsetof(ncclConfig_t, magic));
static_assert(offsetof(NcclConfig, version) == offsetof(ncclConfig_t, version));
static_assert(offsetof(NcclConfig, blocking) == offsetof(ncclConfig_t, blocking));
static_assert(offsetof(NcclConfig, most_ctas) == offsetof(ncclConfig_t, maxCTAs));
static_assert(offsetof(NcclConfig, network) == offsetof(ncclConfig_t, netName));

TEST(CudaHeaders, NcclTakesOurConfiguration) {
  const ncclConfig_t theirs = NCCL_CONFIG_INITIALIZER;
  EXPECT_EQ(theirs.magic, kNcclConfigMagic);
  EXPECT_GE(theirs.version, kNcclConfigVersion);
}

}  // namespace
}  // namespace heddle::gpu::abi
#else
TEST(CudaHeaders, NcclTakesOurConfiguration) {
  GTEST_SKIP() << "cannot run here: CUDA's and NCCL's headers are not found";
}
#endif
