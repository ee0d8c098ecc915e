#pragma once
// One rank's processor, as a schedule needs it: streams that run what they are given in order,
// events, memory, collectives. All calls come from one host thread and none waits for the device;
// whoever waits polls reached(), idle() and failure() under a deadline of its own, since a call
// that blocks on a dead peer never comes back. HostDevice is one implementation, GpuDevice the
// other; both pass the same conformance tests.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/schedule/schedule.h"
#include "validator/device/failure.h"

namespace heddle::device {

/// What the allocator itself counts, by category: never read off the schedule.
struct MemoryCount {
  std::array<Bytes, schedule::kCategoryCount> allocated{};
  Bytes total() const;

  friend bool operator==(const MemoryCount&, const MemoryCount&) = default;
};

/// One op on its stream by the device's clock.
struct OpTime {
  std::uint32_t op = 0;
  schedule::StreamKind stream = schedule::StreamKind::kCompute;
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
};

struct RunSettings {
  bool verify = false;  // fill collectives with patterns and check what comes out
  bool return_memory =
      false;             // give freed memory back to the system at once, instead of keeping it
  bool time_ops = true;  // off, on a GPU: no events but where a step ends
};

/// The op a stream is at, for the flight recorder.
struct StreamProgress {
  std::uint32_t op = Id<void>::kNone;  // started last
  bool running = false;
};

class Device {
 public:
  virtual ~Device() = default;
  /// Ready for a run: what the one before left (events, times, memory, failure) is gone. All ranks
  /// meet here.
  virtual std::optional<Failure> begin(const RunSettings& settings) = 0;

  /// kOutOfMemory leaves the device usable.
  virtual std::optional<Failure> allocate(schedule::BufferId id) = 0;
  virtual void free(schedule::BufferId id) = 0;
  virtual MemoryCount memory() const = 0;
  /// What the device's allocator holds to hand out; 0 where there is no such thing.
  virtual Bytes reserved() const { return {}; }
  /// What the system says is in use: by this process, or of this GPU.
  virtual Bytes footprint() const = 0;

  virtual void compute(std::uint32_t op, schedule::StreamKind stream, schedule::KernelId id) = 0;
  /// Number k of its communicator in the order of calls meets number k of the other members, and
  /// starts after number k-1 has ended.
  virtual void collective(std::uint32_t op, schedule::StreamKind stream,
                          schedule::CollectiveId id) = 0;
  virtual void record(std::uint32_t op, schedule::StreamKind stream, schedule::EventId id) = 0;
  virtual void wait(std::uint32_t op, schedule::StreamKind stream, schedule::EventId id) = 0;

  virtual bool reached(schedule::EventId id) const = 0;
  virtual bool idle() const = 0;  // everything given to the streams is done
  virtual std::optional<Failure> failure() const = 0;
  virtual std::array<StreamProgress, schedule::kStreamCount> progress() const = 0;
  /// Streams drop what they hold and idle() comes true, unless the device is beyond that. From any
  /// thread. The device is spent: what runs next needs a new one.
  virtual void abort() = 0;

  /// Of the run that ended, in the order of start per stream; the device must be idle.
  virtual std::vector<OpTime> take_times() = 0;
};

}  // namespace heddle::device
