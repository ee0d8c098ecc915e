#pragma once
// The real side of the interface: one device by CUDA's runtime, cuBLASLt, NCCL and, for what it
// knows, NVML.
//
// NOT RUN on a GPU so far. It is built, its symbols are found in the libraries of CUDA 13.0 and
// NCCL 2.28.9, its declarations are held to their headers, its kernel passes ptxas; that is all.

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "validator/gpu/cuda_libraries.h"
#include "validator/gpu/cuda_matmul.h"
#include "validator/gpu/cuda_nccl.h"
#include "validator/gpu/cuda_sweep.h"
#include "validator/gpu/gpu.h"

namespace heddle::gpu {

/// What a machine has, without taking any of it: no context is made.
struct CudaMachine {
  int devices = 0;
  std::string nccl;     // version; "" if it is missing
  std::string missing;  // what keeps a GPU from being used here; "" if nothing
};
CudaMachine look_at_machine(const CudaLibraries& cuda);

/// The device by its ordinal; nullptr and `problem` if it cannot be used.
std::unique_ptr<Gpu> open_cuda(const CudaLibraries& cuda, int device, std::string& problem);

class CudaGpu : public Gpu {
 public:
  /// `cuda` must be complete and outlive it, the device current.
  CudaGpu(const CudaLibraries& cuda, int device);

  const Facts& facts() const override { return facts_; }
  Problem allocate(Bytes bytes, Address& to) override;
  Problem release(Address address) override;
  Problem allocate_async(Bytes bytes, Stream stream, Address& to) override;
  Problem release_async(Address address, Stream stream) override;
  Problem allocate_host(Bytes bytes, std::byte*& to) override;
  Problem release_host(std::byte* address) override;
  Problem memory(MemoryInfo& info) const override;
  std::optional<Bytes> process_memory() const override;
  Problem make_stream(bool urgent, Stream& stream) override;
  void destroy(Stream stream) override;
  Problem make_event(bool timed, Event& event) override;
  void destroy(Event event) override;
  Problem record(Event event, Stream stream) override;
  Problem wait(Stream stream, Event event) override;
  Problem query(Event event, bool& reached) const override;
  Problem elapsed(Event from, Event to, std::int64_t& ns) const override;
  Problem matmul(Stream stream, const Matmul& shape, Address a, Address b, Address c) override;
  Problem sweep(Stream stream, Address to, Address from, Bytes bytes) override;
  Problem copy_in(Stream stream, Address to, const std::byte* from, Bytes bytes) override;
  Problem copy_out(Stream stream, std::byte* to, Address from, Bytes bytes) override;
  Problem call_host(Stream stream, void (*work)(void*), void* argument) override;
  Problem unique_id(UniqueId& id) override;
  Problem join(const UniqueId& id, int size, int position, Communicator& communicator) override;
  Problem settled(Communicator communicator, bool& settled) const override;
  Problem collective(Communicator communicator, Stream stream, const CollectiveCall& call) override;
  void leave(Communicator communicator) override;
  void abort(Communicator communicator) override;

 private:
  struct Membership {
    int size = 1;
    int position = 0;
  };
  /// Makes the device current for the calling thread; every call begins with it.
  void bind() const;
  Problem problem_of(abi::Code code, const char* call) const;
  Problem allocation_problem(abi::Code code, Bytes bytes) const;
  void read_facts();
  void read_nvml();

  const CudaLibraries& cuda_;
  int device_;
  Facts facts_;
  abi::NvmlHandle nvml_ = nullptr;
  std::unique_ptr<CudaSweep> sweep_;
  CudaMatmul matmul_;
  CudaNccl nccl_;
  std::mutex mutex_;
  std::map<Communicator, Membership> memberships_;
};

}  // namespace heddle::gpu
