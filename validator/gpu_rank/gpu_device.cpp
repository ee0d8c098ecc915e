#include "validator/gpu_rank/gpu_device.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/check.h"
#include "validator/device/stream_needs.h"
#include "validator/gpu_rank/plans.h"

namespace heddle::gpu_rank {

using device::Failure;
using device::FailureKind;
using gpu::Problem;
using schedule::OpKind;
using schedule::StreamKind;

namespace {

constexpr std::int64_t kWarmUpNs = 60'000'000'000;
constexpr std::int64_t kNapNs = 50'000;

Bytes bytes_of(std::size_t bytes) {
  return {static_cast<std::int64_t>(bytes)};
}

}  // namespace

Bytes gpu_harness(const schedule::Schedule& schedule, int rank, const gpu::Facts& facts) {
  Bytes bytes;
  for (int s = 0; s < schedule::kStreamCount; ++s) {
    const auto needs = device::needs_of(schedule, rank, static_cast<StreamKind>(s));
    bytes += bytes_of(needs.input + needs.output) + GpuKernels::bytes_for(needs.kernels, facts);
  }
  return bytes;
}

GpuDevice::GpuDevice(gpu::Gpu& gpu, const schedule::Schedule& schedule, int rank,
                     device::Assembly& assembly, const GpuLimits& limits,
                     const device::Clock& clock)
    : gpu_(gpu),
      schedule_(schedule),
      rank_(rank),
      assembly_(assembly),
      clock_(clock),
      communicators_(gpu, schedule, rank, assembly, stopped_, clock),
      times_(gpu, clock),
      recorded_(schedule.event_count),
      turns_(schedule.communicators.size()) {
  memory_ = std::make_unique<GpuMemory>(gpu, schedule, streams_, limits.allocator, limits.memory);
  find_boundaries();
  note(prepare());
}

/// Streams first: what they hold uses everything else.
GpuDevice::~GpuDevice() {
  if (idle() && !stopped_.load()) {
    communicators_.leave();
  } else {
    abort();
  }
  if (aborting_.joinable()) aborting_.join();
  for (const gpu::Stream stream : streams_) {
    if (stream != nullptr) gpu_.destroy(stream);
  }
  communicators_.leave();
  for (Lane& lane : lanes_) {
    if (lane.input != nullptr) gpu_.release(lane.input);
    if (lane.output != nullptr) gpu_.release(lane.output);
    if (lane.tail != nullptr) gpu_.destroy(lane.tail);
  }
  for (const gpu::Event event : events_) gpu_.destroy(event);
  for (const Turn& turn : turns_) {
    if (turn.done != nullptr) gpu_.destroy(turn.done);
  }
}

/// The last timed op of each stream before the end of each step.
void GpuDevice::find_boundaries() {
  const auto& ops = device::program_of(schedule_, rank_).ops;
  is_boundary_.assign(ops.size(), false);
  std::array<std::optional<std::size_t>, schedule::kStreamCount> last;
  const auto settle = [&] {
    for (auto& op : last) {
      if (op) is_boundary_[*op] = true;
      op.reset();
    }
  };
  for (std::size_t at = 0; at < ops.size(); ++at) {
    const schedule::Op& op = ops[at];
    if (op.kind == OpKind::kCompute || op.kind == OpKind::kCollective) {
      last[static_cast<std::size_t>(op.stream)] = at;
    }
    const bool is_end =
        op.kind == OpKind::kMark && schedule_.marks[op.arg].kind == schedule::Mark::Kind::kStepEnd;
    if (is_end) settle();
  }
  settle();
}

Problem GpuDevice::prepare() {
  for (std::size_t s = 0; s < streams_.size(); ++s) {
    const bool urgent = static_cast<StreamKind>(s) != StreamKind::kCompute;
    if (auto problem = gpu_.make_stream(urgent, streams_[s])) return problem;
    if (auto problem = prepare_lane(s)) return problem;
  }
  for (std::size_t id = 0; id < schedule_.event_count; ++id) {
    gpu::Event event = nullptr;
    if (auto problem = gpu_.make_event(false, event)) return problem;
    events_.push_back(event);
  }
  for (Turn& turn : turns_) {
    if (auto problem = gpu_.make_event(false, turn.done)) return problem;
  }
  return std::nullopt;
}

Problem GpuDevice::prepare_lane(std::size_t stream) {
  Lane& lane = lanes_[stream];
  const auto needs = device::needs_of(schedule_, rank_, static_cast<StreamKind>(stream));
  lane.kernels = std::make_unique<GpuKernels>(gpu_);
  lane.verified =
      std::make_unique<VerifiedCalls>(gpu_, streams_[stream], [this](const std::string& text) {
        note(Failure{FailureKind::kWrongData, fmt::format("rank {}, {}", rank_, text)});
      });
  lane.input_bytes = bytes_of(needs.input);
  lane.output_bytes = bytes_of(needs.output);
  if (needs.input > 0) {
    if (auto problem = gpu_.allocate(lane.input_bytes, lane.input)) return problem;
  }
  if (needs.output > 0) {
    if (auto problem = gpu_.allocate(lane.output_bytes, lane.output)) return problem;
  }
  if (auto problem = gpu_.make_event(false, lane.tail)) return problem;
  lane.tail_is_old = true;
  return lane.kernels->prepare(needs.kernels, streams_[stream]);
}

/// The first failure is the one that is told.
void GpuDevice::note(Problem problem) const {
  if (!problem) return;
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = std::move(problem);
}

std::optional<Failure> GpuDevice::begin(const device::RunSettings& settings) {
  if (auto problem = failure()) return problem;
  settings_ = settings;
  Problem problem = meet(settings);
  note(problem);
  return problem;
}

Problem GpuDevice::meet(const device::RunSettings& settings) {
  if (auto problem = memory_->reset()) return problem;
  std::fill(recorded_.begin(), recorded_.end(), false);
  for (Turn& turn : turns_) turn.number = 0;
  for (Lane& lane : lanes_) {
    lane.verified->clear();
    if (!settings.verify) continue;
    const Bytes most = std::max(lane.input_bytes, lane.output_bytes);
    if (auto problem = lane.verified->prepare(most)) return problem;
  }
  if (!communicators_.joined()) {
    const auto plans = assembly_.gather(plan_text(schedule_, rank_));
    if (!plans) return Failure{FailureKind::kAborted, "told to stop while plans were compared"};
    if (auto problem = compare_plans(schedule_, rank_, *plans)) return problem;
    if (auto problem = communicators_.join()) return problem;
    if (auto problem = warm_up(largest_common(schedule_, rank_, *plans))) return problem;
  }
  if (auto problem = times_.begin(stream(StreamKind::kCompute))) return problem;
  if (!assembly_.gather("")) return Failure{FailureKind::kAborted, "told to stop while ranks met"};
  return std::nullopt;
}

/// NCCL connects ranks and takes its buffers when they are first needed: not while anything is
/// measured.
Problem GpuDevice::warm_up(const std::vector<std::uint32_t>& ops) {
  for (const std::uint32_t at : ops) {
    const schedule::Op& op = device::program_of(schedule_, rank_).ops[at];
    const schedule::CollectiveId id{op.arg};
    Turn& turn = turns_[schedule_.collective(id).communicator.index()];
    if (auto problem = gpu_.wait(stream(op.stream), turn.done)) return problem;
    if (auto problem = give_collective(op.stream, view_of(id, 0))) return problem;
    if (auto problem = end_turn(turn, op.stream)) return problem;
  }
  return await_idle();
}

Problem GpuDevice::await_idle() {
  const std::int64_t end = clock_.now_ns() + kWarmUpNs;
  while (!idle()) {
    if (auto problem = failure()) return problem;
    if (stopped_.load()) return Failure{FailureKind::kAborted, "told to stop before the run"};
    if (clock_.now_ns() > end) {
      return Failure{FailureKind::kTimeout, "the first collectives do not end"};
    }
    clock_.sleep_ns(kNapNs);
  }
  return std::nullopt;
}

device::CollectiveView GpuDevice::view_of(schedule::CollectiveId id, std::uint64_t number) const {
  device::CollectiveView view = device::view_of_member(schedule_, rank_, id, number);
  view.arithmetic = device::Arithmetic::kOfType;
  return view;
}

std::optional<Failure> GpuDevice::allocate(schedule::BufferId id) {
  return memory_->allocate(id);
}

void GpuDevice::free(schedule::BufferId id) {
  note(memory_->free(id));
}

Bytes GpuDevice::footprint() const {
  gpu::MemoryInfo info;
  note(gpu_.memory(info));
  return info.total - info.free;
}

Problem GpuDevice::timed_begin(std::uint32_t op, StreamKind kind) {
  lane(kind).tail_is_old = true;
  return settings_.time_ops ? times_.start(op, kind, stream(kind)) : std::nullopt;
}

Problem GpuDevice::timed_end(std::uint32_t op, StreamKind kind) {
  if (settings_.time_ops) return times_.end(kind, stream(kind));
  return is_boundary_[op] ? times_.only_end(op, kind, stream(kind)) : std::nullopt;
}

void GpuDevice::compute(std::uint32_t op, StreamKind kind, schedule::KernelId id) {
  if (give_nothing()) return;
  Problem problem = timed_begin(op, kind);
  if (!problem) problem = lane(kind).kernels->run(schedule_.kernel(id), stream(kind));
  if (!problem) problem = timed_end(op, kind);
  note(std::move(problem));
}

/// NCCL keeps the order of a communicator's collectives itself where they share a stream.
Problem GpuDevice::take_turn(Turn& turn, StreamKind kind) {
  if (turn.number++ == 0 || turn.stream == kind) return std::nullopt;
  return gpu_.wait(stream(kind), turn.done);
}

Problem GpuDevice::give_collective(StreamKind kind, const device::CollectiveView& view) {
  Lane& lane = this->lane(kind);
  lane.tail_is_old = true;
  const gpu::CollectiveCall call{view.collective.kind,
                                 view.collective.dtype,
                                 static_cast<std::int64_t>(view.elements()),
                                 static_cast<std::int64_t>(view.part()),
                                 lane.input,
                                 lane.output};
  const std::size_t communicator = view.collective.communicator.index();
  return communicators_.run(communicator, stream(kind), call);
}

Problem GpuDevice::end_turn(Turn& turn, StreamKind kind) {
  turn.stream = kind;
  return gpu_.record(turn.done, stream(kind));
}

void GpuDevice::collective(std::uint32_t op, StreamKind kind, schedule::CollectiveId id) {
  if (give_nothing()) return;
  Turn& turn = turns_[schedule_.collective(id).communicator.index()];
  const device::CollectiveView view = view_of(id, turn.number);
  Problem problem = take_turn(turn, kind);
  VerifiedCalls& verified = *lane(kind).verified;
  if (!problem && settings_.verify) problem = verified.before(view, lane(kind).input);
  if (!problem) problem = timed_begin(op, kind);
  if (!problem) problem = give_collective(kind, view);
  if (!problem) problem = timed_end(op, kind);
  if (!problem) problem = end_turn(turn, kind);
  if (!problem && settings_.verify) problem = verified.after(view, lane(kind).output);
  note(std::move(problem));
}

void GpuDevice::record(std::uint32_t, StreamKind kind, schedule::EventId id) {
  if (give_nothing()) return;
  lane(kind).tail_is_old = true;
  recorded_[id.index()] = true;
  note(gpu_.record(events_[id.index()], stream(kind)));
}

void GpuDevice::wait(std::uint32_t, StreamKind kind, schedule::EventId id) {
  if (give_nothing()) return;
  lane(kind).tail_is_old = true;
  note(gpu_.wait(stream(kind), events_[id.index()]));
}

bool GpuDevice::reached(schedule::EventId id) const {
  bool reached = false;
  if (recorded_[id.index()]) note(gpu_.query(events_[id.index()], reached));
  return reached;
}

bool GpuDevice::idle() const {
  bool idle = true;
  for (std::size_t s = 0; s < lanes_.size(); ++s) {
    Lane& lane = lanes_[s];
    if (streams_[s] == nullptr || lane.tail == nullptr) continue;
    if (lane.tail_is_old) note(gpu_.record(lane.tail, streams_[s]));
    lane.tail_is_old = false;
    bool reached = false;
    note(gpu_.query(lane.tail, reached));
    idle = idle && reached;
  }
  return idle;
}

std::optional<Failure> GpuDevice::failure() const {
  note(communicators_.failure());
  const std::lock_guard lock(mutex_);
  return failure_;
}

void GpuDevice::abort() {
  if (stopped_.exchange(true)) return;
  assembly_.abort();
  aborting_ = std::thread([this] { communicators_.abort(); });
}

std::vector<device::OpTime> GpuDevice::take_times() {
  HEDDLE_CHECK(idle(), "times of a run that has not ended");
  std::vector<device::OpTime> times;
  note(times_.take(times));
  return times;
}

}  // namespace heddle::gpu_rank
