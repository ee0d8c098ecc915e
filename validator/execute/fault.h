#pragma once
// Faults on purpose: a device and a transport that behave until their k-th call, then do not. Tests
// wrap the real ones with these, so that every way a subject can fail is seen to be survived.

#include <atomic>
#include <cstdint>
#include <optional>

#include "validator/device/device.h"
#include "validator/device/transport.h"

namespace heddle::execute {

enum class FaultKind : std::uint8_t {
  kNone,
  kDie,          // the process is killed
  kHang,         // the host call never returns, nothing else helps
  kAsyncError,   // failure() tells of one from then on
  kOutOfMemory,  // the next Alloc fails
  kCorrupt,      // one bit of a collective's output, counted in collectives
  kStall,        // a collective never returns, counted in collectives
  kGarbage,      // the rank sends bytes that are no message instead of its first report
  kIgnoreAbort,  // as kStall, and an abort changes nothing
  kRefused,      // the GPU refuses a call, counted in calls to it
};
inline constexpr int kFaultKinds = 10;

struct Fault {
  FaultKind kind = FaultKind::kNone;
  int rank = -1;          // of the schedule; others are sound
  std::int64_t call = 0;  // counted from 0, allocate to wait in a run's order

  friend bool operator==(const Fault&, const Fault&) = default;
};

class FaultyDevice : public device::Device {
 public:
  FaultyDevice(device::Device& inner, const Fault& fault) : inner_(inner), fault_(fault) {}

  std::optional<device::Failure> begin(const device::RunSettings& settings) override {
    return inner_.begin(settings);
  }
  std::optional<device::Failure> allocate(schedule::BufferId id) override;
  void free(schedule::BufferId id) override;
  device::MemoryCount memory() const override { return inner_.memory(); }
  Bytes reserved() const override { return inner_.reserved(); }
  Bytes footprint() const override { return inner_.footprint(); }
  void compute(std::uint32_t op, schedule::StreamKind s, schedule::KernelId id) override;
  void collective(std::uint32_t op, schedule::StreamKind s, schedule::CollectiveId id) override;
  void record(std::uint32_t op, schedule::StreamKind s, schedule::EventId id) override;
  void wait(std::uint32_t op, schedule::StreamKind s, schedule::EventId id) override;
  bool reached(schedule::EventId id) const override { return inner_.reached(id); }
  bool idle() const override { return inner_.idle(); }
  std::optional<device::Failure> failure() const override;
  std::array<device::StreamProgress, schedule::kStreamCount> progress() const override {
    return inner_.progress();
  }
  void abort() override { inner_.abort(); }
  std::vector<device::OpTime> take_times() override { return inner_.take_times(); }

 private:
  void count_call();

  device::Device& inner_;
  Fault fault_;
  std::int64_t calls_ = 0;
  bool errored_ = false;
};

class FaultyTransport : public device::Transport {
 public:
  FaultyTransport(device::Transport& inner, const Fault& fault) : inner_(inner), fault_(fault) {}
  std::optional<device::Failure> run(const device::TransportCall& call) override;
  std::optional<device::Failure> barrier() override { return inner_.barrier(); }
  void abort() override;

 private:
  device::Transport& inner_;
  Fault fault_;
  std::atomic<std::int64_t> calls_ = 0;  // streams take turns
  std::atomic<bool> aborted_ = false;
};

}  // namespace heddle::execute
