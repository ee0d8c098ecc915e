#pragma once
// What of CUDA's, cuBLASLt's, NCCL's and NVML's binary interfaces is called, declared here so that
// nobody needs their headers to build. Sources: cuda.h, cuda_runtime_api.h, cublasLt.h of CUDA 12
// and 13, nccl.h 2.17 to 2.28, nvml.h of CUDA 12 and 13; unchanged in these. Where those headers
// are found, a test holds every constant and signature here to them.

#include <cstddef>
#include <cstdint>

namespace heddle::gpu::abi {

// Enumerations are ints, handles pointers to what nobody looks into.
using Code = int;
using StreamHandle = struct StreamOpaque*;
using EventHandle = struct EventOpaque*;
using ModuleHandle = struct ModuleOpaque*;
using FunctionHandle = struct FunctionOpaque*;
using BlasHandle = struct BlasOpaque*;
using BlasPart = struct BlasPartOpaque*;  // a descriptor, a layout, a preference
using NcclHandle = struct NcclOpaque*;
using NvmlHandle = struct NvmlOpaque*;

inline constexpr Code kCudaMemoryAllocation = 2;
inline constexpr Code kCudaInsufficientDriver = 35;
inline constexpr Code kCudaNoDevice = 100;
inline constexpr Code kCudaNotReady = 600;
inline constexpr int kAttributeMultiprocessors = 16;
inline constexpr int kAttributeL2Bytes = 38;
inline constexpr unsigned kStreamNonBlocking = 1;
inline constexpr unsigned kEventDefault = 0;
inline constexpr unsigned kEventDisableTiming = 2;
inline constexpr unsigned kHostAllocDefault = 0;
inline constexpr int kCopyHostToDevice = 1;
inline constexpr int kCopyDeviceToHost = 2;
inline constexpr int kCopyDeviceToDevice = 3;

struct CudaRuntime {
  Code (*get_device_count)(int*) = nullptr;
  Code (*set_device)(int) = nullptr;
  Code (*device_attribute)(int*, int attribute, int device) = nullptr;
  Code (*device_bus_id)(char*, int size, int device) = nullptr;
  Code (*driver_version)(int*) = nullptr;
  Code (*runtime_version)(int*) = nullptr;
  const char* (*error_string)(Code) = nullptr;
  Code (*last_error)() = nullptr;
  Code (*malloc)(void**, std::size_t) = nullptr;
  Code (*free)(void*) = nullptr;
  Code (*malloc_async)(void**, std::size_t, StreamHandle) = nullptr;
  Code (*free_async)(void*, StreamHandle) = nullptr;
  Code (*host_alloc)(void**, std::size_t, unsigned flags) = nullptr;
  Code (*free_host)(void*) = nullptr;
  Code (*mem_get_info)(std::size_t* free, std::size_t* total) = nullptr;
  Code (*stream_priority_range)(int* least, int* greatest) = nullptr;
  Code (*stream_create)(StreamHandle*, unsigned flags, int priority) = nullptr;
  Code (*stream_destroy)(StreamHandle) = nullptr;
  Code (*stream_wait_event)(StreamHandle, EventHandle, unsigned flags) = nullptr;
  Code (*event_create)(EventHandle*, unsigned flags) = nullptr;
  Code (*event_destroy)(EventHandle) = nullptr;
  Code (*event_record)(EventHandle, StreamHandle) = nullptr;
  Code (*event_query)(EventHandle) = nullptr;
  Code (*event_elapsed)(float* ms, EventHandle, EventHandle) = nullptr;
  Code (*memcpy_async)(void*, const void*, std::size_t, int kind, StreamHandle) = nullptr;
  Code (*launch_host)(StreamHandle, void (*)(void*), void*) = nullptr;
};

/// The driver's own interface: a kernel given as text needs no compiler.
struct CudaDriver {
  Code (*init)(unsigned flags) = nullptr;
  Code (*device_get)(int*, int ordinal) = nullptr;
  Code (*device_name)(char*, int size, int device) = nullptr;
  Code (*module_load)(ModuleHandle*, const void* image) = nullptr;
  Code (*module_function)(FunctionHandle*, ModuleHandle, const char*) = nullptr;
  Code (*launch)(FunctionHandle, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                 unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                 StreamHandle, void** parameters, void** extra) = nullptr;
};

inline constexpr int kDataFloat32 = 0;
inline constexpr int kDataFloat16 = 2;
inline constexpr int kDataBFloat16 = 14;
inline constexpr int kComputeFloat32 = 68;
inline constexpr int kComputeFastTf32 = 77;
inline constexpr int kLayoutBatchCount = 5;
inline constexpr int kLayoutBatchStride = 6;
inline constexpr int kPreferenceWorkspace = 1;

struct BlasAlgorithm {
  std::uint64_t data[8];
};

struct BlasHeuristic {
  BlasAlgorithm algorithm;
  std::size_t workspace;
  Code state;
  float waves;
  int reserved[4];
};

struct BlasLt {
  Code (*create)(BlasHandle*) = nullptr;
  Code (*destroy)(BlasHandle) = nullptr;
  std::size_t (*version)() = nullptr;
  Code (*matmul_create)(BlasPart*, int compute, int scale) = nullptr;
  Code (*matmul_destroy)(BlasPart) = nullptr;
  Code (*layout_create)(BlasPart*, int type, std::uint64_t rows, std::uint64_t columns,
                        std::int64_t leading) = nullptr;
  Code (*layout_destroy)(BlasPart) = nullptr;
  Code (*layout_set)(BlasPart, int attribute, const void*, std::size_t) = nullptr;
  Code (*preference_create)(BlasPart*) = nullptr;
  Code (*preference_destroy)(BlasPart) = nullptr;
  Code (*preference_set)(BlasPart, int attribute, const void*, std::size_t) = nullptr;
  Code (*heuristic)(BlasHandle, BlasPart matmul, BlasPart a, BlasPart b, BlasPart c, BlasPart d,
                    BlasPart preference, int wanted, BlasHeuristic*, int* found) = nullptr;
  Code (*matmul)(BlasHandle, BlasPart matmul, const void* alpha, const void* a, BlasPart,
                 const void* b, BlasPart, const void* beta, const void* c, BlasPart, void* d,
                 BlasPart, const BlasAlgorithm*, void* workspace, std::size_t,
                 StreamHandle) = nullptr;
};

inline constexpr Code kNcclInProgress = 7;
inline constexpr int kNcclFloat16 = 6;
inline constexpr int kNcclFloat32 = 7;
inline constexpr int kNcclBFloat16 = 9;
inline constexpr int kNcclSum = 0;
inline constexpr unsigned kNcclConfigMagic = 0xcafebeef;
inline constexpr int kNcclUndefined = INT32_MIN;
inline constexpr unsigned kNcclConfigVersion = 21700;  // whose fields these are

struct NcclId {
  char internal[128];
};

/// The first fields of every later one; its size tells NCCL which it got.
struct NcclConfig {
  std::size_t size = sizeof(NcclConfig);
  unsigned magic = kNcclConfigMagic;
  unsigned version = kNcclConfigVersion;
  int blocking = 0;
  int cluster = kNcclUndefined;
  int least_ctas = kNcclUndefined;
  int most_ctas = kNcclUndefined;
  const char* network = nullptr;
};

struct Nccl {
  Code (*version)(int*) = nullptr;
  const char* (*error_string)(Code) = nullptr;
  const char* (*last_error)(NcclHandle) = nullptr;
  Code (*unique_id)(NcclId*) = nullptr;
  Code (*init)(NcclHandle*, int ranks, NcclId, int rank, NcclConfig*) = nullptr;
  Code (*async_error)(NcclHandle, Code*) = nullptr;
  Code (*finalize)(NcclHandle) = nullptr;
  Code (*destroy)(NcclHandle) = nullptr;
  Code (*abort)(NcclHandle) = nullptr;
  Code (*group_start)() = nullptr;
  Code (*group_end)() = nullptr;
  Code (*all_reduce)(const void*, void*, std::size_t, int type, int op, NcclHandle,
                     StreamHandle) = nullptr;
  Code (*all_gather)(const void*, void*, std::size_t, int type, NcclHandle, StreamHandle) = nullptr;
  Code (*reduce_scatter)(const void*, void*, std::size_t, int type, int op, NcclHandle,
                         StreamHandle) = nullptr;
  Code (*broadcast)(const void*, void*, std::size_t, int type, int root, NcclHandle,
                    StreamHandle) = nullptr;
  Code (*reduce)(const void*, void*, std::size_t, int type, int op, int root, NcclHandle,
                 StreamHandle) = nullptr;
  Code (*send)(const void*, std::size_t, int type, int peer, NcclHandle, StreamHandle) = nullptr;
  Code (*receive)(void*, std::size_t, int type, int peer, NcclHandle, StreamHandle) = nullptr;
};

inline constexpr int kNvmlClockSm = 1;

struct NvmlProcess {
  unsigned pid;
  unsigned long long bytes;
  unsigned gpu_instance;
  unsigned compute_instance;
};

struct Nvml {
  Code (*init)() = nullptr;
  Code (*device_by_bus_id)(const char*, NvmlHandle*) = nullptr;
  Code (*processes)(NvmlHandle, unsigned* count, NvmlProcess*) = nullptr;
  Code (*clock)(NvmlHandle, int which, unsigned* mhz) = nullptr;
  Code (*most_clock)(NvmlHandle, int which, unsigned* mhz) = nullptr;
  Code (*driver_version)(char*, unsigned size) = nullptr;
};

}  // namespace heddle::gpu::abi
