#pragma once
// The host side of the interface: streams are threads, events count what reached them, device
// memory is host memory with a limit, collectives run in memory that ranks share. Semantics are
// CUDA's and NCCL's, so that whatever drives a GPU can be tested without one; times are a CPU's and
// say nothing about a GPU.

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "validator/gpu/gpu.h"
#include "validator/gpu/host_communicator.h"
#include "validator/gpu/work_queue.h"

namespace heddle::gpu {

struct HostGpuOptions {
  Bytes memory = gibibytes(1);
  std::string folder;  // where communicators meet
};

class HostGpu : public Gpu {
 public:
  explicit HostGpu(HostGpuOptions options);
  HostGpu(const HostGpu&) = delete;
  HostGpu& operator=(const HostGpu&) = delete;
  /// Collectives and waits end; streams finish what they hold.
  ~HostGpu() override;

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
  /// How often it was recorded, and how many of these records a stream has reached.
  struct EventState {
    std::uint64_t recorded = 0;
    std::uint64_t reached = 0;
    std::int64_t time_ns = 0;
  };
  struct Block {
    Bytes bytes;
    std::unique_ptr<std::byte[]> memory;
  };
  EventState& state(Event event) const { return *events_.at(event); }
  HostCommunicator& member(Communicator communicator) const {
    return *communicators_.at(communicator);
  }
  Problem give(Stream stream, std::function<void()> task);

  HostGpuOptions options_;
  Facts facts_;
  mutable std::mutex mutex_;  // of all that follows
  std::condition_variable changed_;
  bool ending_ = false;
  Bytes used_;
  std::map<Address, Block> blocks_;
  std::map<std::byte*, Block> pinned_;
  std::map<Event, std::unique_ptr<EventState>> events_;
  std::map<Communicator, std::unique_ptr<HostCommunicator>> communicators_;
  std::map<Stream, std::unique_ptr<WorkQueue>> streams_;
};

}  // namespace heddle::gpu
