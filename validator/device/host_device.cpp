#include "validator/device/host_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "sim/base/check.h"
#include "validator/device/stream_needs.h"

namespace heddle::device {

using schedule::OpKind;
using schedule::StreamKind;

Bytes host_harness(const schedule::Schedule& schedule, int rank) {
  std::size_t bytes = 0;
  for (int s = 0; s < schedule::kStreamCount; ++s) {
    const StreamNeeds needs = needs_of(schedule, rank, static_cast<StreamKind>(s));
    bytes += needs.input + needs.output + HostCompute::bytes_for(needs.kernels);
  }
  return {static_cast<std::int64_t>(bytes)};
}

HostDevice::HostDevice(const schedule::Schedule& schedule, int rank, Transport& transport,
                       const HostLimits& limits, const Clock& clock)
    : schedule_(schedule),
      rank_(rank),
      transport_(transport),
      clock_(clock),
      memory_(limits.memory),
      events_(schedule.event_count),
      issued_(schedule.communicators.size()),
      ended_(schedule.communicators.size()) {
  for (int s = 0; s < schedule::kStreamCount; ++s) prepare(static_cast<StreamKind>(s));
}

/// Peers may still be at work: only a rank that is not done takes them down with it.
HostDevice::~HostDevice() {
  if (!idle()) abort();
  stopped_.store(true);
  announce();
}

void HostDevice::prepare(StreamKind kind) {
  const StreamNeeds needs = needs_of(schedule_, rank_, kind);
  Lane& lane = this->lane(kind);
  if (!needs.kernels.empty()) lane.compute.emplace(needs.kernels);
  lane.input.assign(needs.input, std::byte{1});
  lane.output.assign(needs.output, std::byte{1});
  lane.times.reserve(needs.timed);
  lane.stream = std::make_unique<HostStream>([this, kind](const StreamTask& t) { work(kind, t); });
}

CollectiveView HostDevice::view_of(schedule::CollectiveId id, std::uint64_t number) const {
  return view_of_member(schedule_, rank_, id, number);
}

std::optional<Failure> HostDevice::begin(const RunSettings& settings) {
  HEDDLE_CHECK(idle(), "a run begins before the last one has ended");
  settings_ = settings;
  memory_.reset(settings.return_memory);
  for (auto& event : events_) event.store(false);
  std::fill(issued_.begin(), issued_.end(), 0);
  for (auto& count : ended_) count.store(0);
  for (Lane& lane : lanes_) lane.times.clear();
  {
    const std::lock_guard lock(mutex_);
    failure_.reset();
  }
  stopped_.store(false);
  return transport_.barrier();
}

std::optional<Failure> HostDevice::allocate(schedule::BufferId id) {
  return memory_.allocate(id, schedule_.buffer(id));
}

void HostDevice::compute(std::uint32_t op, StreamKind stream, schedule::KernelId id) {
  lane(stream).stream->give({OpKind::kCompute, op, id.value, 0});
}

void HostDevice::collective(std::uint32_t op, StreamKind stream, schedule::CollectiveId id) {
  const std::size_t communicator = schedule_.collective(id).communicator.index();
  lane(stream).stream->give({OpKind::kCollective, op, id.value, issued_[communicator]++});
}

void HostDevice::record(std::uint32_t op, StreamKind stream, schedule::EventId id) {
  lane(stream).stream->give({OpKind::kRecord, op, id.value, 0});
}

void HostDevice::wait(std::uint32_t op, StreamKind stream, schedule::EventId id) {
  lane(stream).stream->give({OpKind::kWait, op, id.value, 0});
}

template <typename Ready>
bool HostDevice::hold(Ready ready) {
  if (ready()) return true;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return stopped_.load() || ready(); });
  return ready();
}

/// Wakes streams that hold; the lock keeps a wake-up from falling between test and sleep.
void HostDevice::announce() {
  { const std::lock_guard lock(mutex_); }
  changed_.notify_all();
}

std::optional<Failure> HostDevice::run_collective(Lane& lane, const StreamTask& task,
                                                  OpTime& time) {
  const CollectiveView view = view_of(schedule::CollectiveId{task.arg}, task.number);
  std::atomic<std::uint64_t>& ended = ended_[view.collective.communicator.index()];
  if (!hold([&] { return ended.load() == task.number; })) return std::nullopt;
  const std::span<std::byte> input(lane.input.data(), view.input_bytes());
  const std::span<std::byte> output(lane.output.data(), view.output_bytes());
  if (settings_.verify) fill_input(view, input);
  time.start_ns = clock_.now_ns();
  auto failure = transport_.run({view, input, output, settings_.verify});
  time.end_ns = clock_.now_ns();
  if (!failure && settings_.verify) {
    if (auto wrong = wrong_output(view, output)) {
      failure = Failure{FailureKind::kWrongData,
                        fmt::format("rank {}, {}: {}", rank_, to_text(view), *wrong)};
    }
  }
  ended.store(task.number + 1);
  announce();
  return failure;
}

void HostDevice::work(StreamKind kind, const StreamTask& task) {
  if (stopped_.load()) return;
  Lane& lane = this->lane(kind);
  OpTime time{task.op, kind, clock_.now_ns(), 0};
  switch (task.kind) {
    case OpKind::kCompute:
      lane.compute->run(schedule_.kernels[task.arg]);
      time.end_ns = clock_.now_ns();
      break;
    case OpKind::kCollective:
      if (auto problem = run_collective(lane, task, time)) return fail(std::move(*problem));
      break;
    case OpKind::kRecord:
      events_[task.arg].store(true);
      return announce();
    default:
      hold([&] { return events_[task.arg].load(); });
      return;
  }
  if (!stopped_.load()) lane.times.push_back(time);
}

/// The first failure is the one that is told; it stops the rank's streams.
void HostDevice::fail(Failure failure) {
  {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::move(failure);
  }
  abort();
}

bool HostDevice::idle() const {
  return std::all_of(lanes_.begin(), lanes_.end(),
                     [](const Lane& lane) { return !lane.stream || lane.stream->idle(); });
}

std::optional<Failure> HostDevice::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

std::array<StreamProgress, schedule::kStreamCount> HostDevice::progress() const {
  std::array<StreamProgress, schedule::kStreamCount> all;
  for (std::size_t s = 0; s < all.size(); ++s) all[s] = lanes_[s].stream->progress();
  return all;
}

void HostDevice::abort() {
  stopped_.store(true);
  transport_.abort();
  for (Lane& lane : lanes_) {
    if (lane.stream) lane.stream->drop();
  }
  announce();
}

std::vector<OpTime> HostDevice::take_times() {
  HEDDLE_CHECK(idle(), "times of a run that has not ended");
  std::vector<OpTime> all;
  for (Lane& lane : lanes_) {
    all.insert(all.end(), lane.times.begin(), lane.times.end());
    lane.times.clear();
  }
  return all;
}

}  // namespace heddle::device
