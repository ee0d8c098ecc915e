#pragma once
// Runs one rank's program of a schedule on a device, exactly as written: host order, streams,
// events, Alloc and Free. Nothing here knows which device it is.

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "validator/device/clock.h"
#include "validator/device/device.h"

namespace heddle::execute {

struct RunOptions {
  device::RunSettings settings;
  bool memory = false;           // note the allocator's count after every Alloc and Free
  std::int64_t deadline_ns = 0;  // from begin() on; 0: none
};

/// Right after an Alloc or Free.
struct MemoryPoint {
  std::uint32_t op = 0;
  device::MemoryCount count;
  Bytes resident;  // Device::footprint(); ranks that share a process or a GPU share this
  Bytes reserved;  // Device::reserved()
};

struct RankRun {
  std::optional<device::Failure> failure;  // what follows is then void
  std::uint32_t failed_at = 0;             // op the host was at
  std::int64_t start_ns = 0;               // all ranks have met
  std::vector<device::OpTime> ops;
  std::vector<std::int64_t> marks_ns;  // host, by the marks of the program in order
  std::vector<MemoryPoint> memory;
  Bytes resident_before;
  Bytes peak_reserved;  // the most that Device::reserved() was after an Alloc
};

class RankRunner {
 public:
  RankRunner(const schedule::Schedule& schedule, int rank, device::Device& device,
             const device::Clock& clock);

  RankRun run(const RunOptions& options);
  /// Op the host is at; from any thread, for the flight recorder.
  std::uint32_t host_op() const { return host_op_.load(); }

 private:
  bool perform(std::uint32_t at, const schedule::Op& op, const RunOptions& options, RankRun& run);
  void note_memory(std::uint32_t at, const RunOptions& options, RankRun& run);
  /// Polls until `ready`; false and a failure in `run` if that will not come.
  template <typename Ready>
  bool await(Ready ready, const RunOptions& options, RankRun& run);

  const schedule::Schedule& schedule_;
  const schedule::Program& program_;
  device::Device& device_;
  const device::Clock& clock_;
  std::atomic<std::uint32_t> host_op_ = 0;
};

}  // namespace heddle::execute
