#pragma once
// All that Heddle asks of a GPU, one rank's: what of CUDA's runtime, cuBLASLt, NCCL and NVML a
// schedule needs, and nothing else. Two sides: cuda_gpu.h reaches the real libraries, found at run
// time; host_gpu.h does the same with threads and host memory, for tests.
//
// As in CUDA, work given to a stream runs in order and later; a call that is refused, or an earlier
// one that failed meanwhile, is told as a Failure. Nothing here waits for the device. Calls may
// come from several threads.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "sim/schedule/schedule.h"
#include "validator/device/failure.h"

namespace heddle::gpu {

using Problem = std::optional<device::Failure>;

/// Device memory; the host must not follow it.
using Address = std::byte*;
using Stream = struct StreamTag*;
using Event = struct EventTag*;
using Communicator = struct CommunicatorTag*;
/// ncclUniqueId.
using UniqueId = std::array<char, 128>;

struct Facts {
  std::string name;   // "NVIDIA H200"; "host threads"
  std::string place;  // PCI bus id
  int multiprocessors = 1;
  Bytes cache = mebibytes(1);  // the last one before memory
  std::string driver;          // versions, "" where there is none
  std::string runtime;         // CUDA's
  std::string blas;
  std::string nccl;
  std::string sweeps;      // what runs kernels that are bound by memory
  int clock_mhz = 0;       // of the multiprocessors when it was opened; 0: not known
  int most_clock_mhz = 0;  // what it may reach; 0: not known
};

struct MemoryInfo {
  Bytes free;
  Bytes total;
};

/// C = A B, row-major, batch times behind each other.
struct Matmul {
  schedule::DType dtype = schedule::DType::kBFloat16;
  std::int64_t batch = 1;
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;

  friend auto operator<=>(const Matmul&, const Matmul&) = default;
};

/// `input` and `output` as device::CollectiveView has them, for its elements and part.
struct CollectiveCall {
  schedule::CollectiveKind kind = schedule::CollectiveKind::kAllReduce;
  schedule::DType dtype = schedule::DType::kBFloat16;
  std::int64_t elements = 0;  // of the whole
  std::int64_t part = 0;      // of one member
  Address input = nullptr;
  Address output = nullptr;
};

class Gpu {
 public:
  virtual ~Gpu() = default;
  virtual const Facts& facts() const = 0;

  /// cudaMalloc and cudaFree: the caller sees that nothing uses what is given back.
  virtual Problem allocate(Bytes bytes, Address& to) = 0;
  virtual Problem release(Address address) = 0;
  /// cudaMallocAsync and cudaFreeAsync: in the order of the stream.
  virtual Problem allocate_async(Bytes bytes, Stream stream, Address& to) = 0;
  virtual Problem release_async(Address address, Stream stream) = 0;
  /// Pinned: streams copy from and to it when they get there.
  virtual Problem allocate_host(Bytes bytes, std::byte*& to) = 0;
  virtual Problem release_host(std::byte* address) = 0;
  /// cudaMemGetInfo: of the device, all its users together.
  virtual Problem memory(MemoryInfo& info) const = 0;
  /// This process's share of the device by NVML, where that is known.
  virtual std::optional<Bytes> process_memory() const = 0;

  /// `urgent`: of the highest priority there is.
  virtual Problem make_stream(bool urgent, Stream& stream) = 0;
  virtual void destroy(Stream stream) = 0;
  /// `timed` ones can be told the time between; others cost less.
  virtual Problem make_event(bool timed, Event& event) = 0;
  virtual void destroy(Event event) = 0;
  virtual Problem record(Event event, Stream stream) = 0;
  /// For the event's last record() before this call; none: does not wait.
  virtual Problem wait(Stream stream, Event event) = 0;
  virtual Problem query(Event event, bool& reached) const = 0;
  /// Between two reached, timed events.
  virtual Problem elapsed(Event from, Event to, std::int64_t& ns) const = 0;

  virtual Problem matmul(Stream stream, const Matmul& shape, Address a, Address b, Address c) = 0;
  /// A kernel that reads `bytes` from one place and writes them to the other.
  virtual Problem sweep(Stream stream, Address to, Address from, Bytes bytes) = 0;
  virtual Problem copy_in(Stream stream, Address to, const std::byte* from, Bytes bytes) = 0;
  virtual Problem copy_out(Stream stream, std::byte* to, Address from, Bytes bytes) = 0;
  /// Runs `work(argument)` on a host thread when the stream gets there; it must call nothing here.
  virtual Problem call_host(Stream stream, void (*work)(void*), void* argument) = 0;

  virtual Problem unique_id(UniqueId& id) = 0;
  /// Returns at once; settled() tells when all members are there.
  virtual Problem join(const UniqueId& id, int size, int position, Communicator& communicator) = 0;
  /// Whether what was asked of it last is under way; its asynchronous error, if there is one.
  virtual Problem settled(Communicator communicator, bool& settled) const = 0;
  virtual Problem collective(Communicator communicator, Stream stream,
                             const CollectiveCall& call) = 0;
  /// Its streams must be idle.
  virtual void leave(Communicator communicator) = 0;
  /// Ends collectives under way; may itself never return.
  virtual void abort(Communicator communicator) = 0;
};

}  // namespace heddle::gpu
