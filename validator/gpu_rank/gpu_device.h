#pragma once
// A rank on a GPU, through the narrow interface of gpu/gpu.h: the nccl backend on CUDA, nccl-host
// on threads. Compute runs on a stream of normal priority, the others are urgent; event edges are
// where the schedule has them, and between collectives of one communicator on different streams.

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "validator/device/assembly.h"
#include "validator/device/device.h"
#include "validator/gpu_rank/communicators.h"
#include "validator/gpu_rank/gpu_kernels.h"
#include "validator/gpu_rank/gpu_memory.h"
#include "validator/gpu_rank/op_times.h"
#include "validator/gpu_rank/verified_calls.h"

namespace heddle::gpu_rank {

struct GpuLimits {
  Allocator allocator = Allocator::kCaching;
  Bytes memory = gibibytes(1024);  // of what the schedule allocates
};

/// What a rank takes of a GPU beside the schedule's own memory: operands and collective buffers.
Bytes gpu_harness(const schedule::Schedule& schedule, int rank, const gpu::Facts& facts);

class GpuDevice : public device::Device {
 public:
  /// All must outlive it. What cannot be made is told by begin().
  GpuDevice(gpu::Gpu& gpu, const schedule::Schedule& schedule, int rank, device::Assembly& assembly,
            const GpuLimits& limits, const device::Clock& clock);
  GpuDevice(const GpuDevice&) = delete;
  GpuDevice& operator=(const GpuDevice&) = delete;
  ~GpuDevice() override;

  std::optional<device::Failure> begin(const device::RunSettings& settings) override;
  std::optional<device::Failure> allocate(schedule::BufferId id) override;
  void free(schedule::BufferId id) override;
  device::MemoryCount memory() const override { return memory_->count(); }
  Bytes reserved() const override { return memory_->reserved(); }
  Bytes footprint() const override;
  void compute(std::uint32_t op, schedule::StreamKind stream, schedule::KernelId id) override;
  void collective(std::uint32_t op, schedule::StreamKind stream,
                  schedule::CollectiveId id) override;
  void record(std::uint32_t op, schedule::StreamKind stream, schedule::EventId id) override;
  void wait(std::uint32_t op, schedule::StreamKind stream, schedule::EventId id) override;
  bool reached(schedule::EventId id) const override;
  bool idle() const override;
  std::optional<device::Failure> failure() const override;
  std::array<device::StreamProgress, schedule::kStreamCount> progress() const override {
    return times_.progress();
  }
  /// Communicators are aborted in a thread of its own: NCCL's abort may hang.
  void abort() override;
  std::vector<device::OpTime> take_times() override;

 private:
  struct Lane {
    std::unique_ptr<GpuKernels> kernels;
    std::unique_ptr<VerifiedCalls> verified;
    gpu::Address input = nullptr;
    gpu::Address output = nullptr;
    Bytes input_bytes;
    Bytes output_bytes;
    gpu::Event tail = nullptr;  // behind everything given, once somebody asks
    bool tail_is_old = false;
  };
  /// The last collective of a communicator, which the next one follows.
  struct Turn {
    gpu::Event done = nullptr;
    schedule::StreamKind stream = schedule::StreamKind::kCompute;
    std::uint64_t number = 0;
  };

  gpu::Problem prepare();
  gpu::Problem prepare_lane(std::size_t stream);
  gpu::Problem meet(const device::RunSettings& settings);
  gpu::Problem warm_up(const std::vector<std::uint32_t>& ops);
  gpu::Problem take_turn(Turn& turn, schedule::StreamKind stream);
  gpu::Problem end_turn(Turn& turn, schedule::StreamKind stream);
  gpu::Problem give_collective(schedule::StreamKind kind, const device::CollectiveView& view);
  gpu::Problem await_idle();
  device::CollectiveView view_of(schedule::CollectiveId id, std::uint64_t number) const;
  gpu::Problem timed_begin(std::uint32_t op, schedule::StreamKind stream);
  gpu::Problem timed_end(std::uint32_t op, schedule::StreamKind stream);
  void find_boundaries();
  bool give_nothing() const { return stopped_.load(); }
  void note(gpu::Problem problem) const;
  Lane& lane(schedule::StreamKind kind) { return lanes_[static_cast<std::size_t>(kind)]; }
  gpu::Stream stream(schedule::StreamKind kind) const {
    return streams_[static_cast<std::size_t>(kind)];
  }

  gpu::Gpu& gpu_;
  const schedule::Schedule& schedule_;
  int rank_;
  device::Assembly& assembly_;
  const device::Clock& clock_;
  Streams streams_{};
  std::atomic<bool> stopped_ = false;
  std::unique_ptr<GpuMemory> memory_;
  Communicators communicators_;
  OpTimes times_;
  device::RunSettings settings_;
  std::vector<gpu::Event> events_;  // by id
  std::vector<bool> recorded_;
  std::vector<bool> is_boundary_;  // ops behind which a step ends on their stream
  std::vector<Turn> turns_;        // by communicator
  mutable std::array<Lane, schedule::kStreamCount> lanes_;
  mutable std::mutex mutex_;  // of what follows
  mutable gpu::Problem failure_;
  std::thread aborting_;
};

}  // namespace heddle::gpu_rank
