#pragma once
// A rank on processor cores: every stream of the schedule is a thread, memory is mapped and
// touched, compute is real, collectives go through a Transport. With Exchange it is the reference
// that all tests run on; with MPI's transport it is the mpi backend.

#include <array>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "validator/device/clock.h"
#include "validator/device/device.h"
#include "validator/device/host_compute.h"
#include "validator/device/host_memory.h"
#include "validator/device/host_stream.h"
#include "validator/device/transport.h"

namespace heddle::device {

struct HostLimits {
  Bytes memory = gibibytes(64);
};

/// What a rank needs beside the schedule's own memory: operands and collective buffers.
Bytes host_harness(const schedule::Schedule& schedule, int rank);

class HostDevice : public Device {
 public:
  /// `schedule`, `transport` and `clock` must outlive it. Operands and collective buffers are made
  /// and touched here, so that they are no part of what a run allocates.
  HostDevice(const schedule::Schedule& schedule, int rank, Transport& transport,
             const HostLimits& limits, const Clock& clock);
  ~HostDevice() override;

  std::optional<Failure> begin(const RunSettings& settings) override;
  std::optional<Failure> allocate(schedule::BufferId id) override;
  void free(schedule::BufferId id) override { memory_.free(id); }
  MemoryCount memory() const override { return memory_.count(); }
  Bytes footprint() const override { return resident_set(); }
  void compute(std::uint32_t op, schedule::StreamKind stream, schedule::KernelId id) override;
  void collective(std::uint32_t op, schedule::StreamKind stream,
                  schedule::CollectiveId id) override;
  void record(std::uint32_t op, schedule::StreamKind stream, schedule::EventId id) override;
  void wait(std::uint32_t op, schedule::StreamKind stream, schedule::EventId id) override;
  bool reached(schedule::EventId id) const override { return events_[id.index()].load(); }
  bool idle() const override;
  std::optional<Failure> failure() const override;
  std::array<StreamProgress, schedule::kStreamCount> progress() const override;
  void abort() override;
  std::vector<OpTime> take_times() override;

 private:
  /// One stream with what its thread alone uses.
  struct Lane {
    std::optional<HostCompute> compute;
    std::vector<std::byte> input;
    std::vector<std::byte> output;
    std::vector<OpTime> times;
    std::unique_ptr<HostStream> stream;  // last: its thread uses the others
  };

  void prepare(schedule::StreamKind kind);
  void work(schedule::StreamKind kind, const StreamTask& task);
  std::optional<Failure> run_collective(Lane& lane, const StreamTask& task, OpTime& time);
  CollectiveView view_of(schedule::CollectiveId id, std::uint64_t number) const;
  /// Holds the calling stream until `ready` or an abort; true if ready.
  template <typename Ready>
  bool hold(Ready ready);
  void announce();
  void fail(Failure failure);
  Lane& lane(schedule::StreamKind kind) { return lanes_[static_cast<std::size_t>(kind)]; }

  const schedule::Schedule& schedule_;
  int rank_;
  Transport& transport_;
  const Clock& clock_;
  HostMemory memory_;
  RunSettings settings_;
  std::vector<std::atomic<bool>> events_;
  std::vector<std::uint64_t> issued_;  // collectives, by communicator; of the host thread
  std::vector<std::atomic<std::uint64_t>> ended_;  // the same, done
  std::atomic<bool> stopped_ = false;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Failure> failure_;
  std::array<Lane, schedule::kStreamCount> lanes_;
};

}  // namespace heddle::device
