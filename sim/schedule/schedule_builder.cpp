#include "sim/schedule/schedule_builder.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "sim/base/check.h"

namespace heddle::schedule {

std::size_t KernelHash::operator()(const Kernel& kernel) const {
  std::uint64_t hash = static_cast<std::uint64_t>(kernel.kind) * 8 +
                       static_cast<std::uint64_t>(kernel.dtype) * 2 +
                       static_cast<std::uint64_t>(kernel.backward);
  for (const std::int64_t part : {kernel.batch, kernel.m, kernel.n, kernel.k, kernel.bytes.value,
                                  static_cast<std::int64_t>(kernel.launches)}) {
    hash = (std::rotl(hash, 13) ^ static_cast<std::uint64_t>(part)) * 0x9e3779b97f4a7c15ULL;
  }
  return hash;
}

ScheduleBuilder::ScheduleBuilder(std::vector<Communicator> communicators) {
  HEDDLE_CHECK(!communicators.empty() && communicators.front().groups.size() == 1,
               "the first communicator is that of all ranks");
  schedule_.program_of_rank.assign(communicators.front().size(), 0);
  schedule_.communicators = std::move(communicators);
}

void ScheduleBuilder::at(Phase phase, int layer) {
  phase_ = phase;
  layer_ = layer;
}

std::uint32_t ScheduleBuilder::name_id(std::string_view name) {
  const auto found = names_.find(name);
  if (found != names_.end()) return found->second;
  const auto id = static_cast<std::uint32_t>(name_store_.size());
  names_.emplace(name_store_.emplace_back(name), id);
  return id;
}

LabelId ScheduleBuilder::label(std::string_view name) {
  const std::uint64_t key = (static_cast<std::uint64_t>(phase_) << 56) |
                            (static_cast<std::uint64_t>(layer_ + 1) << 32) | name_id(name);
  const auto [entry, is_new] = labels_.try_emplace(key, LabelId{schedule_.labels.size()});
  if (is_new) schedule_.labels.push_back({phase_, layer_, std::string(name)});
  return entry->second;
}

Op& ScheduleBuilder::push(OpKind kind, StreamKind stream, std::uint32_t arg,
                          std::string_view name) {
  return ops_.emplace_back(Op{kind, stream, 0, arg, label(name)});
}

namespace {

std::uint16_t checked_dispatches(int dispatches) {
  HEDDLE_CHECK(dispatches >= 0 && dispatches <= std::numeric_limits<std::uint16_t>::max(),
               "dispatch count out of range");
  return static_cast<std::uint16_t>(dispatches);
}

}  // namespace

void ScheduleBuilder::compute(const Kernel& kernel, int dispatches, std::string_view name,
                              StreamKind stream) {
  if (kernel.launches == 0) return host_work(dispatches, name);
  const auto [entry, is_new] = kernels_.try_emplace(kernel, KernelId{schedule_.kernels.size()});
  if (is_new) schedule_.kernels.push_back(kernel);
  push(OpKind::kCompute, stream, entry->second.value, name).dispatches =
      checked_dispatches(dispatches);
}

void ScheduleBuilder::collective(const Collective& collective, int dispatches,
                                 std::string_view name, StreamKind stream) {
  auto& known = schedule_.collectives;
  const auto found = std::find(known.begin(), known.end(), collective);  // a handful per schedule
  const auto index = static_cast<std::uint32_t>(found - known.begin());
  if (found == known.end()) known.push_back(collective);
  push(OpKind::kCollective, stream, index, name).dispatches = checked_dispatches(dispatches);
}

BufferId ScheduleBuilder::alloc(MemoryCategory category, Bytes bytes, std::string_view name,
                                StreamKind pool) {
  HEDDLE_CHECK(bytes.value >= 0, "an allocation of negative size");
  if (bytes.value == 0) return {};
  const BufferId id{schedule_.buffers.size()};
  const LabelId where = push(OpKind::kAlloc, pool, id.value, name).label;
  schedule_.buffers.push_back({allocation_size(bytes), category, pool, where});
  return id;
}

void ScheduleBuilder::free(BufferId& buffer) {
  if (!buffer.valid()) return;
  const Buffer& info = schedule_.buffers[buffer.index()];
  ops_.push_back({OpKind::kFree, info.stream, 0, buffer.value, info.label});
  buffer = {};
}

void ScheduleBuilder::record_stream(BufferId buffer, StreamKind stream) {
  if (!buffer.valid()) return;
  Buffer& info = schedule_.buffers[buffer.index()];
  if (info.stream == stream) return;
  info.used_by = static_cast<std::uint8_t>(info.used_by | 1U << static_cast<unsigned>(stream));
}

EventId ScheduleBuilder::record(StreamKind stream) {
  const EventId id{schedule_.event_count++};
  push(OpKind::kRecord, stream, id.value, "record");
  return id;
}

void ScheduleBuilder::wait(StreamKind stream, EventId event) {
  if (event.valid()) push(OpKind::kWait, stream, event.value, "wait");
}

void ScheduleBuilder::host_wait(EventId event) {
  if (event.valid()) push(OpKind::kHostWait, StreamKind::kCompute, event.value, "host_wait");
}

void ScheduleBuilder::host_work(int dispatches, std::string_view name) {
  if (dispatches == 0) return;
  push(OpKind::kHostWork, StreamKind::kCompute, Id<void>::kNone, name).dispatches =
      checked_dispatches(dispatches);
}

void ScheduleBuilder::mark(Mark::Kind kind, int step) {
  push(OpKind::kMark, StreamKind::kCompute, static_cast<std::uint32_t>(schedule_.marks.size()),
       "mark");
  schedule_.marks.push_back({kind, step});
}

Schedule ScheduleBuilder::finish(int steps) {
  schedule_.programs.push_back({std::move(ops_)});
  schedule_.steps = steps;
  return std::move(schedule_);
}

}  // namespace heddle::schedule
