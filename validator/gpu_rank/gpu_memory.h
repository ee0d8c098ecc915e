#pragma once
// Alloc and Free of a schedule on a GPU. Either the simulator's own caching allocator decides
// (sim/allocator: sizes, splits, when a segment is taken or given back) and each of its segments is
// a real cudaMalloc, or cudaMallocAsync does as it likes.
//
// A block that other streams use is free for them once they are done with what they hold now: an
// event on each, looked at in order before the next request, as PyTorch does.

#include <array>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "sim/allocator/caching_allocator.h"
#include "validator/device/device.h"
#include "validator/gpu/gpu.h"
#include "validator/gpu_rank/event_pool.h"

namespace heddle::gpu_rank {

using Streams = std::array<gpu::Stream, schedule::kStreamCount>;

/// The allocator's segments as memory of the GPU.
class SegmentStore : public allocator::DeviceMemory {
 public:
  SegmentStore(gpu::Gpu& gpu, Bytes limit) : gpu_(gpu), limit_(limit) {}
  SegmentStore(const SegmentStore&) = delete;
  SegmentStore& operator=(const SegmentStore&) = delete;
  ~SegmentStore() override;
  bool reserve(Bytes bytes) override;
  void release(Bytes bytes) override;
  Bytes capacity() const override { return limit_; }
  Bytes held() const { return held_; }
  Bytes left() const { return limit_ - held_; }
  /// Why the GPU refused last.
  const gpu::Problem& refusal() const { return refusal_; }

 private:
  gpu::Gpu& gpu_;
  Bytes limit_;
  Bytes held_;
  gpu::Problem refusal_;
  std::unordered_map<std::int64_t, std::vector<gpu::Address>> segments_;  // by size
};

enum class Allocator { kCaching, kAsync };

class GpuMemory {
 public:
  /// All must outlive it; `limit` is of this rank's blocks or segments.
  GpuMemory(gpu::Gpu& gpu, const schedule::Schedule& schedule, const Streams& streams,
            Allocator kind, Bytes limit);
  GpuMemory(const GpuMemory&) = delete;
  GpuMemory& operator=(const GpuMemory&) = delete;
  ~GpuMemory() { reset(); }

  /// Everything goes back to the GPU, which must be idle.
  gpu::Problem reset();
  gpu::Problem allocate(schedule::BufferId id);
  gpu::Problem free(schedule::BufferId id);
  const device::MemoryCount& count() const { return count_; }
  Bytes reserved() const { return kind_ == Allocator::kCaching ? store_.held() : Bytes{}; }

 private:
  struct Use {
    gpu::Event done = nullptr;
    allocator::BlockIndex block = allocator::kNoBlock;
  };

  gpu::Problem take_block(const schedule::Buffer& buffer, allocator::BlockIndex& block);
  gpu::Problem allocate_async(const schedule::Buffer& buffer, gpu::Address& address);
  gpu::Problem free_block(const schedule::Buffer& buffer, allocator::BlockIndex block);
  gpu::Problem free_async(const schedule::Buffer& buffer, gpu::Address address);
  gpu::Problem collect();
  gpu::Problem await_uses();
  void use_ended(allocator::BlockIndex block);
  gpu::Stream stream_of(const schedule::Buffer& buffer) const {
    return streams_[static_cast<std::size_t>(buffer.stream)];
  }
  /// Calls visit(stream number) for the streams that use it beside its own.
  template <typename Visit>
  gpu::Problem for_each_use(const schedule::Buffer& buffer, Visit visit) const;
  void add(const schedule::Buffer& buffer, std::int64_t sign);

  gpu::Gpu& gpu_;
  const schedule::Schedule& schedule_;
  const Streams& streams_;
  Allocator kind_;
  Bytes limit_;
  device::MemoryCount count_;
  EventPool events_;
  SegmentStore store_;
  std::unique_ptr<allocator::CachingAllocator> allocator_;
  std::unordered_map<std::uint32_t, allocator::BlockIndex> blocks_;
  std::unordered_map<std::uint32_t, gpu::Address> addresses_;  // cudaMallocAsync's
  std::array<std::deque<Use>, schedule::kStreamCount> uses_;
  std::unordered_map<allocator::BlockIndex, int> uses_left_;
};

}  // namespace heddle::gpu_rank
