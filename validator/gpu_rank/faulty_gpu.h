#pragma once
// A GPU that behaves until its k-th call, then does not.
//
//   kRefused                    the k-th call of all is answered with an error, as are those behind
//                               it: CUDA's errors stick
//   kCorrupt, kStall,           the k-th collective since arm(): a bit of its output is turned; it
//   kIgnoreAbort                is never begun and holds its stream, until an abort or for ever

#include <atomic>
#include <cstdint>

#include "validator/execute/fault.h"
#include "validator/gpu/gpu.h"

namespace heddle::gpu_rank {

class FaultyGpu : public gpu::Gpu {
 public:
  FaultyGpu(gpu::Gpu& inner, const execute::Fault& fault) : inner_(inner), fault_(fault) {}
  ~FaultyGpu() override;

  /// Collectives count from here on.
  void arm() { armed_.store(true); }
  std::int64_t calls() const { return calls_.load(); }

  const gpu::Facts& facts() const override { return inner_.facts(); }
  gpu::Problem allocate(Bytes bytes, gpu::Address& to) override;
  gpu::Problem release(gpu::Address address) override;
  gpu::Problem allocate_async(Bytes bytes, gpu::Stream stream, gpu::Address& to) override;
  gpu::Problem release_async(gpu::Address address, gpu::Stream stream) override;
  gpu::Problem allocate_host(Bytes bytes, std::byte*& to) override;
  gpu::Problem release_host(std::byte* address) override { return inner_.release_host(address); }
  gpu::Problem memory(gpu::MemoryInfo& info) const override { return inner_.memory(info); }
  std::optional<Bytes> process_memory() const override { return inner_.process_memory(); }
  gpu::Problem make_stream(bool urgent, gpu::Stream& stream) override;
  void destroy(gpu::Stream stream) override { inner_.destroy(stream); }
  gpu::Problem make_event(bool timed, gpu::Event& event) override;
  void destroy(gpu::Event event) override { inner_.destroy(event); }
  gpu::Problem record(gpu::Event event, gpu::Stream stream) override;
  gpu::Problem wait(gpu::Stream stream, gpu::Event event) override;
  gpu::Problem query(gpu::Event event, bool& reached) const override {
    return inner_.query(event, reached);
  }
  gpu::Problem elapsed(gpu::Event from, gpu::Event to, std::int64_t& ns) const override {
    return inner_.elapsed(from, to, ns);
  }
  gpu::Problem matmul(gpu::Stream stream, const gpu::Matmul& shape, gpu::Address a, gpu::Address b,
                      gpu::Address c) override;
  gpu::Problem sweep(gpu::Stream stream, gpu::Address to, gpu::Address from, Bytes bytes) override;
  gpu::Problem copy_in(gpu::Stream stream, gpu::Address to, const std::byte* from,
                       Bytes bytes) override;
  gpu::Problem copy_out(gpu::Stream stream, std::byte* to, gpu::Address from, Bytes bytes) override;
  gpu::Problem call_host(gpu::Stream stream, void (*work)(void*), void* argument) override;
  gpu::Problem unique_id(gpu::UniqueId& id) override;
  gpu::Problem join(const gpu::UniqueId& id, int size, int position,
                    gpu::Communicator& communicator) override;
  gpu::Problem settled(gpu::Communicator communicator, bool& settled) const override {
    return inner_.settled(communicator, settled);
  }
  gpu::Problem collective(gpu::Communicator communicator, gpu::Stream stream,
                          const gpu::CollectiveCall& call) override;
  void leave(gpu::Communicator communicator) override { inner_.leave(communicator); }
  void abort(gpu::Communicator communicator) override;

 private:
  /// Counts a call; the answer if it is refused.
  gpu::Problem refused();
  gpu::Problem corrupt(gpu::Stream stream, const gpu::CollectiveCall& call);

  gpu::Gpu& inner_;
  execute::Fault fault_;
  std::atomic<std::int64_t> calls_ = 0;
  std::atomic<std::int64_t> collectives_ = 0;
  std::atomic<bool> armed_ = false;
  std::atomic<bool> aborted_ = false;
  std::byte* turned_ = nullptr;  // pinned, one byte
};

}  // namespace heddle::gpu_rank
