#include "validator/gpu/cuda_libraries.h"

#include <array>

#include "validator/gpu/library.h"

namespace heddle::gpu {
namespace {

using Names = std::span<const std::string_view>;

constexpr std::array<std::string_view, 1> kDriver{"libcuda.so.1"};
constexpr std::array<std::string_view, 3> kRuntime{"libcudart.so.13", "libcudart.so.12",
                                                   "libcudart.so"};
constexpr std::array<std::string_view, 3> kBlas{"libcublasLt.so.13", "libcublasLt.so.12",
                                                "libcublasLt.so"};
constexpr std::array<std::string_view, 2> kNccl{"libnccl.so.2", "libnccl.so"};
constexpr std::array<std::string_view, 1> kNvml{"libnvidia-ml.so.1"};

void find_driver(Library& from, abi::CudaDriver& to) {
  from.find("cuInit", to.init);
  from.find("cuDeviceGet", to.device_get);
  from.find("cuDeviceGetName", to.device_name);
  from.find("cuModuleLoadData", to.module_load);
  from.find("cuModuleGetFunction", to.module_function);
  from.find("cuLaunchKernel", to.launch);
}

void find_runtime(Library& from, abi::CudaRuntime& to) {
  from.find("cudaGetDeviceCount", to.get_device_count);
  from.find("cudaSetDevice", to.set_device);
  from.find("cudaDeviceGetAttribute", to.device_attribute);
  from.find("cudaDeviceGetPCIBusId", to.device_bus_id);
  from.find("cudaDriverGetVersion", to.driver_version);
  from.find("cudaRuntimeGetVersion", to.runtime_version);
  from.find("cudaGetErrorString", to.error_string);
  from.find("cudaGetLastError", to.last_error);
  from.find("cudaMalloc", to.malloc);
  from.find("cudaFree", to.free);
  from.find("cudaMallocAsync", to.malloc_async);
  from.find("cudaFreeAsync", to.free_async);
  from.find("cudaHostAlloc", to.host_alloc);
  from.find("cudaFreeHost", to.free_host);
  from.find("cudaMemGetInfo", to.mem_get_info);
  from.find("cudaDeviceGetStreamPriorityRange", to.stream_priority_range);
  from.find("cudaStreamCreateWithPriority", to.stream_create);
  from.find("cudaStreamDestroy", to.stream_destroy);
  from.find("cudaStreamWaitEvent", to.stream_wait_event);
  from.find("cudaEventCreateWithFlags", to.event_create);
  from.find("cudaEventDestroy", to.event_destroy);
  from.find("cudaEventRecord", to.event_record);
  from.find("cudaEventQuery", to.event_query);
  from.find("cudaEventElapsedTime", to.event_elapsed);
  from.find("cudaMemcpyAsync", to.memcpy_async);
  from.find("cudaLaunchHostFunc", to.launch_host);
}

void find_blas(Library& from, abi::BlasLt& to) {
  from.find("cublasLtCreate", to.create);
  from.find("cublasLtDestroy", to.destroy);
  from.find("cublasLtGetVersion", to.version);
  from.find("cublasLtMatmulDescCreate", to.matmul_create);
  from.find("cublasLtMatmulDescDestroy", to.matmul_destroy);
  from.find("cublasLtMatrixLayoutCreate", to.layout_create);
  from.find("cublasLtMatrixLayoutDestroy", to.layout_destroy);
  from.find("cublasLtMatrixLayoutSetAttribute", to.layout_set);
  from.find("cublasLtMatmulPreferenceCreate", to.preference_create);
  from.find("cublasLtMatmulPreferenceDestroy", to.preference_destroy);
  from.find("cublasLtMatmulPreferenceSetAttribute", to.preference_set);
  from.find("cublasLtMatmulAlgoGetHeuristic", to.heuristic);
  from.find("cublasLtMatmul", to.matmul);
}

void find_nccl(Library& from, abi::Nccl& to) {
  from.find("ncclGetVersion", to.version);
  from.find("ncclGetErrorString", to.error_string);
  from.find("ncclGetLastError", to.last_error);
  from.find("ncclGetUniqueId", to.unique_id);
  from.find("ncclCommInitRankConfig", to.init);
  from.find("ncclCommGetAsyncError", to.async_error);
  from.find("ncclCommFinalize", to.finalize);
  from.find("ncclCommDestroy", to.destroy);
  from.find("ncclCommAbort", to.abort);
  from.find("ncclGroupStart", to.group_start);
  from.find("ncclGroupEnd", to.group_end);
  from.find("ncclAllReduce", to.all_reduce);
  from.find("ncclAllGather", to.all_gather);
  from.find("ncclReduceScatter", to.reduce_scatter);
  from.find("ncclBroadcast", to.broadcast);
  from.find("ncclReduce", to.reduce);
  from.find("ncclSend", to.send);
  from.find("ncclRecv", to.receive);
}

void find_nvml(Library& from, abi::Nvml& to) {
  from.find("nvmlInit_v2", to.init);
  from.find("nvmlDeviceGetHandleByPciBusId_v2", to.device_by_bus_id);
  from.find("nvmlDeviceGetComputeRunningProcesses_v3", to.processes);
  from.find("nvmlDeviceGetClockInfo", to.clock);
  from.find("nvmlDeviceGetMaxClockInfo", to.most_clock);
  from.find("nvmlSystemGetDriverVersion", to.driver_version);
}

}  // namespace

CudaLibraries load_cuda() {
  const std::vector<std::string> folders = cuda_folders();
  CudaLibraries all;
  const auto add = [&](const Library& library) {
    if (library.problem().empty()) return;
    all.missing += (all.missing.empty() ? "" : "\n") + library.problem();
  };
  Library driver(kDriver, folders);
  find_driver(driver, all.driver);
  add(driver);
  Library runtime(kRuntime, folders);
  find_runtime(runtime, all.runtime);
  add(runtime);
  Library blas(kBlas, folders);
  find_blas(blas, all.blas);
  add(blas);
  Library nccl(kNccl, folders);
  find_nccl(nccl, all.nccl);
  add(nccl);
  Library nvml(kNvml, folders);
  find_nvml(nvml, all.nvml);
  all.has_nvml = nvml.open() && nvml.problem().empty();
  return all;
}

}  // namespace heddle::gpu
