#include "validator/gpu/cuda_gpu.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cmath>

#include "sim/base/units_text.h"

namespace heddle::gpu {
namespace {

std::size_t size_of(Bytes bytes) {
  return static_cast<std::size_t>(bytes.value);
}

abi::StreamHandle native(Stream stream) {
  return reinterpret_cast<abi::StreamHandle>(stream);
}

abi::EventHandle native(Event event) {
  return reinterpret_cast<abi::EventHandle>(event);
}

/// 13000 is 13.0.
std::string cuda_version_text(int code) {
  return fmt::format("{}.{}", code / 1000, code % 1000 / 10);
}

}  // namespace

CudaMachine look_at_machine(const CudaLibraries& cuda) {
  CudaMachine machine;
  int version = 0;
  if (cuda.nccl.version != nullptr && cuda.nccl.version(&version) == 0) {
    machine.nccl = nccl_version_text(version);
  }
  machine.missing = cuda.missing;
  if (!machine.missing.empty()) return machine;
  const abi::Code code = cuda.runtime.get_device_count(&machine.devices);
  if (code != 0) {
    machine.missing = fmt::format("CUDA finds no GPU: {}", cuda.runtime.error_string(code));
  } else if (machine.devices == 0) {
    machine.missing = "CUDA finds no GPU";
  }
  return machine;
}

std::unique_ptr<Gpu> open_cuda(const CudaLibraries& cuda, int device, std::string& problem) {
  problem = look_at_machine(cuda).missing;
  if (!problem.empty()) return nullptr;
  abi::Code code = cuda.driver.init(0);
  if (code == 0) code = cuda.runtime.set_device(device);
  if (code == 0) code = cuda.runtime.free(nullptr);  // makes the context
  if (code == 0) return std::make_unique<CudaGpu>(cuda, device);
  problem = fmt::format("GPU {} cannot be used: {}", device, cuda.runtime.error_string(code));
  return nullptr;
}

CudaGpu::CudaGpu(const CudaLibraries& cuda, int device)
    : cuda_(cuda), device_(device), matmul_(cuda), nccl_(cuda) {
  read_facts();
  if (cuda_.has_nvml) read_nvml();
  sweep_ = std::make_unique<CudaSweep>(cuda_, facts_.multiprocessors);
  facts_.sweeps = sweep_->name();
}

void CudaGpu::read_facts() {
  std::array<char, 128> text{};
  int handle = 0;
  if (cuda_.driver.device_get(&handle, device_) == 0 &&
      cuda_.driver.device_name(text.data(), static_cast<int>(text.size()), handle) == 0) {
    facts_.name = text.data();
  }
  text = {};
  if (cuda_.runtime.device_bus_id(text.data(), static_cast<int>(text.size()), device_) == 0) {
    facts_.place = text.data();
  }
  int value = 0;
  if (cuda_.runtime.device_attribute(&value, abi::kAttributeMultiprocessors, device_) == 0) {
    facts_.multiprocessors = value;
  }
  if (cuda_.runtime.device_attribute(&value, abi::kAttributeL2Bytes, device_) == 0) {
    facts_.cache = {value};
  }
  if (cuda_.runtime.driver_version(&value) == 0) facts_.driver = cuda_version_text(value);
  if (cuda_.runtime.runtime_version(&value) == 0) facts_.runtime = cuda_version_text(value);
  if (cuda_.nccl.version(&value) == 0) facts_.nccl = nccl_version_text(value);
  facts_.blas = std::to_string(cuda_.blas.version());
}

void CudaGpu::read_nvml() {
  const abi::Nvml& nvml = cuda_.nvml;
  if (nvml.init() != 0) return;
  if (nvml.device_by_bus_id(facts_.place.c_str(), &nvml_) != 0) nvml_ = nullptr;
  std::array<char, 96> text{};
  if (nvml.driver_version(text.data(), static_cast<unsigned>(text.size())) == 0) {
    facts_.driver = fmt::format("{} (CUDA {})", text.data(), facts_.driver);
  }
  unsigned mhz = 0;
  if (nvml_ == nullptr) return;
  if (nvml.clock(nvml_, abi::kNvmlClockSm, &mhz) == 0) facts_.clock_mhz = static_cast<int>(mhz);
  if (nvml.most_clock(nvml_, abi::kNvmlClockSm, &mhz) == 0) {
    facts_.most_clock_mhz = static_cast<int>(mhz);
  }
}

void CudaGpu::bind() const {
  thread_local int bound = -1;
  if (bound == device_) return;
  cuda_.runtime.set_device(device_);
  bound = device_;
}

Problem CudaGpu::problem_of(abi::Code code, const char* call) const {
  if (code == 0) return std::nullopt;
  return device::Failure{device::FailureKind::kAsyncError,
                         fmt::format("CUDA: {}: {}", call, cuda_.runtime.error_string(code))};
}

/// Out of memory leaves CUDA usable; its error must be taken, or a later call would tell it.
Problem CudaGpu::allocation_problem(abi::Code code, Bytes bytes) const {
  if (code != abi::kCudaMemoryAllocation) return problem_of(code, "cudaMalloc");
  cuda_.runtime.last_error();
  MemoryInfo info;
  memory(info);
  return device::Failure{device::FailureKind::kOutOfMemory,
                         fmt::format("{} needed, {} free of {}", format_bytes(bytes),
                                     format_bytes(info.free), format_bytes(info.total))};
}

Problem CudaGpu::allocate(Bytes bytes, Address& to) {
  bind();
  void* address = nullptr;
  const abi::Code code = cuda_.runtime.malloc(&address, size_of(bytes));
  to = static_cast<Address>(address);
  return allocation_problem(code, bytes);
}

Problem CudaGpu::release(Address address) {
  bind();
  return problem_of(cuda_.runtime.free(address), "cudaFree");
}

Problem CudaGpu::allocate_async(Bytes bytes, Stream stream, Address& to) {
  bind();
  void* address = nullptr;
  const abi::Code code = cuda_.runtime.malloc_async(&address, size_of(bytes), native(stream));
  to = static_cast<Address>(address);
  return allocation_problem(code, bytes);
}

Problem CudaGpu::release_async(Address address, Stream stream) {
  bind();
  return problem_of(cuda_.runtime.free_async(address, native(stream)), "cudaFreeAsync");
}

Problem CudaGpu::allocate_host(Bytes bytes, std::byte*& to) {
  bind();
  void* address = nullptr;
  const abi::Code code = cuda_.runtime.host_alloc(&address, size_of(bytes), abi::kHostAllocDefault);
  to = static_cast<std::byte*>(address);
  return problem_of(code, "cudaHostAlloc");
}

Problem CudaGpu::release_host(std::byte* address) {
  bind();
  return problem_of(cuda_.runtime.free_host(address), "cudaFreeHost");
}

Problem CudaGpu::memory(MemoryInfo& info) const {
  bind();
  std::size_t free = 0;
  std::size_t total = 0;
  const abi::Code code = cuda_.runtime.mem_get_info(&free, &total);
  info = {{static_cast<std::int64_t>(free)}, {static_cast<std::int64_t>(total)}};
  return problem_of(code, "cudaMemGetInfo");
}

/// Inside a container the ids may be another's, and then this is not known.
std::optional<Bytes> CudaGpu::process_memory() const {
  if (nvml_ == nullptr) return std::nullopt;
  std::array<abi::NvmlProcess, 64> processes{};
  auto count = static_cast<unsigned>(processes.size());
  if (cuda_.nvml.processes(nvml_, &count, processes.data()) != 0) return std::nullopt;
  for (unsigned i = 0; i < count; ++i) {
    if (processes[i].pid != static_cast<unsigned>(getpid())) continue;
    return Bytes{static_cast<std::int64_t>(processes[i].bytes)};
  }
  return std::nullopt;
}

Problem CudaGpu::make_stream(bool urgent, Stream& stream) {
  bind();
  int least = 0;
  int greatest = 0;
  const abi::Code range = cuda_.runtime.stream_priority_range(&least, &greatest);
  if (auto problem = problem_of(range, "cudaDeviceGetStreamPriorityRange")) return problem;
  abi::StreamHandle made = nullptr;
  const abi::Code code =
      cuda_.runtime.stream_create(&made, abi::kStreamNonBlocking, urgent ? greatest : least);
  stream = reinterpret_cast<Stream>(made);
  return problem_of(code, "cudaStreamCreateWithPriority");
}

void CudaGpu::destroy(Stream stream) {
  bind();
  cuda_.runtime.stream_destroy(native(stream));
}

Problem CudaGpu::make_event(bool timed, Event& event) {
  bind();
  abi::EventHandle made = nullptr;
  const abi::Code code =
      cuda_.runtime.event_create(&made, timed ? abi::kEventDefault : abi::kEventDisableTiming);
  event = reinterpret_cast<Event>(made);
  return problem_of(code, "cudaEventCreateWithFlags");
}

void CudaGpu::destroy(Event event) {
  bind();
  cuda_.runtime.event_destroy(native(event));
}

Problem CudaGpu::record(Event event, Stream stream) {
  bind();
  return problem_of(cuda_.runtime.event_record(native(event), native(stream)), "cudaEventRecord");
}

Problem CudaGpu::wait(Stream stream, Event event) {
  bind();
  return problem_of(cuda_.runtime.stream_wait_event(native(stream), native(event), 0),
                    "cudaStreamWaitEvent");
}

Problem CudaGpu::query(Event event, bool& reached) const {
  bind();
  const abi::Code code = cuda_.runtime.event_query(native(event));
  reached = code == 0;
  if (code == abi::kCudaNotReady) {
    cuda_.runtime.last_error();
    return std::nullopt;
  }
  return problem_of(code, "cudaEventQuery");
}

Problem CudaGpu::elapsed(Event from, Event to, std::int64_t& ns) const {
  bind();
  float ms = 0;
  const abi::Code code = cuda_.runtime.event_elapsed(&ms, native(from), native(to));
  ns = std::llround(static_cast<double>(ms) * 1e6);
  return problem_of(code, "cudaEventElapsedTime");
}

Problem CudaGpu::matmul(Stream stream, const Matmul& shape, Address a, Address b, Address c) {
  bind();
  return matmul_.run(native(stream), shape, a, b, c);
}

Problem CudaGpu::sweep(Stream stream, Address to, Address from, Bytes bytes) {
  bind();
  return problem_of(sweep_->run(native(stream), to, from, size_of(bytes)), "a sweep");
}

Problem CudaGpu::copy_in(Stream stream, Address to, const std::byte* from, Bytes bytes) {
  bind();
  return problem_of(
      cuda_.runtime.memcpy_async(to, from, size_of(bytes), abi::kCopyHostToDevice, native(stream)),
      "cudaMemcpyAsync to the device");
}

Problem CudaGpu::copy_out(Stream stream, std::byte* to, Address from, Bytes bytes) {
  bind();
  return problem_of(
      cuda_.runtime.memcpy_async(to, from, size_of(bytes), abi::kCopyDeviceToHost, native(stream)),
      "cudaMemcpyAsync from the device");
}

Problem CudaGpu::call_host(Stream stream, void (*work)(void*), void* argument) {
  bind();
  return problem_of(cuda_.runtime.launch_host(native(stream), work, argument),
                    "cudaLaunchHostFunc");
}

Problem CudaGpu::unique_id(UniqueId& id) {
  bind();
  return nccl_.unique_id(id);
}

Problem CudaGpu::join(const UniqueId& id, int size, int position, Communicator& communicator) {
  bind();
  if (auto problem = nccl_.join(id, size, position, communicator)) return problem;
  const std::lock_guard lock(mutex_);
  memberships_[communicator] = {size, position};
  return std::nullopt;
}

Problem CudaGpu::settled(Communicator communicator, bool& settled) const {
  bind();
  return nccl_.settled(communicator, settled);
}

Problem CudaGpu::collective(Communicator communicator, Stream stream, const CollectiveCall& call) {
  bind();
  Membership membership;
  {
    const std::lock_guard lock(mutex_);
    membership = memberships_.at(communicator);
  }
  return nccl_.collective(communicator, native(stream), call, membership.size, membership.position);
}

void CudaGpu::leave(Communicator communicator) {
  bind();
  nccl_.leave(communicator);
}

void CudaGpu::abort(Communicator communicator) {
  bind();
  nccl_.abort(communicator);
}

}  // namespace heddle::gpu
