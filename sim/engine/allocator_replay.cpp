#include "sim/engine/allocator_replay.h"

#include <utility>

#include "sim/allocator/caching_allocator.h"
#include "sim/base/check.h"
#include "sim/engine/stream_uses.h"

namespace heddle::engine {
namespace {

using schedule::OpKind;

class AllocatorReplay {
 public:
  AllocatorReplay(const schedule::Schedule& schedule, const RankState& rank,
                  const std::vector<SimTime>& marks, const ExecutorOptions& options)
      : schedule_(schedule),
        rank_(rank),
        marks_(marks),
        record_(options.record_intervals),
        uses_(rank),
        device_(options.memory_limit.value > 0 ? options.memory_limit : allocator::kUnlimited),
        allocator_(options.allocator, device_),
        blocks_(schedule.buffers.size(), allocator::kNoBlock) {}

  AllocatorResult run();

 private:
  void visit(const schedule::Op& op);
  void allocate(const schedule::Op& op);
  void free(const schedule::Op& op);
  void pass_mark(const schedule::Op& op);
  void run_out_of_memory(Bytes requested);
  void note_peaks();
  void close_step();
  AllocatorSample sample() const;

  const schedule::Schedule& schedule_;
  const RankState& rank_;
  const std::vector<SimTime>& marks_;
  bool record_;
  StreamUses uses_;
  allocator::LimitedDevice device_;
  allocator::CachingAllocator allocator_;
  std::vector<allocator::BlockIndex> blocks_;  // by buffer
  std::size_t memory_ops_ = 0;                 // passed
  std::uint32_t at_ = 0;                       // op of the program
  SimTime now_;
  bool in_step_ = false;
  AllocatorSample active_;    // highest since the last step began
  AllocatorSample reserved_;  // the same
  AllocatorResult out_;
};

AllocatorSample AllocatorReplay::sample() const {
  const allocator::AllocatorStats& stats = allocator_.stats();
  return {now_, at_, stats.allocated.current, stats.active.current, stats.reserved.current};
}

/// Peaks inside an op count: a failed attempt may leave more mapped for a moment.
void AllocatorReplay::note_peaks() {
  const allocator::AllocatorStats& stats = allocator_.stats();
  if (stats.active.peak > active_.active) active_ = sample();
  if (stats.reserved.peak <= reserved_.reserved) return;
  reserved_ = sample();
  reserved_.reserved = stats.reserved.peak;
}

void AllocatorReplay::close_step() {
  if (active_.active > out_.peak_active.active) out_.peak_active = active_;
  if (reserved_.reserved > out_.peak_reserved.reserved) out_.peak_reserved = reserved_;
  if (!in_step_) return;
  out_.step_peak_active.push_back(active_);
  out_.step_peak_reserved.push_back(reserved_);
}

/// As the run would have ended here, the rest shows what it would have taken.
void AllocatorReplay::run_out_of_memory(Bytes requested) {
  if (!out_.out_of_memory) out_.out_of_memory = OutOfMemory{sample(), requested};
  device_.set_capacity(allocator::kUnlimited);
}

void AllocatorReplay::allocate(const schedule::Op& op) {
  const schedule::Buffer& buffer = schedule_.buffers[op.arg];
  const auto pool = static_cast<std::uint16_t>(buffer.stream);
  allocator::BlockIndex block = allocator_.allocate(buffer.bytes, pool, now_, op.arg);
  if (block == allocator::kNoBlock) {
    run_out_of_memory(buffer.bytes);
    block = allocator_.allocate(buffer.bytes, pool, now_, op.arg);
  }
  HEDDLE_CHECK(block != allocator::kNoBlock, "a device without limit is full");
  blocks_[op.arg] = block;
}

void AllocatorReplay::free(const schedule::Op& op) {
  allocator_.free(blocks_[op.arg], uses_.of(schedule_.buffers[op.arg]));
}

void AllocatorReplay::pass_mark(const schedule::Op& op) {
  now_ = marks_[out_.marks.size()];
  out_.marks.push_back(sample());
  if (schedule_.marks[op.arg].kind != schedule::Mark::Kind::kStepBegin) return;
  close_step();
  in_step_ = true;
  allocator_.reset_peaks();
  active_ = sample();
  reserved_ = active_;
}

void AllocatorReplay::visit(const schedule::Op& op) {
  switch (op.kind) {
    case OpKind::kAlloc:
    case OpKind::kFree:
      now_ = rank_.memory_times[memory_ops_++];
      op.kind == OpKind::kAlloc ? allocate(op) : free(op);
      note_peaks();
      if (record_) out_.samples.push_back(sample());
      break;
    case OpKind::kMark:
      pass_mark(op);
      break;
    case OpKind::kCompute:
    case OpKind::kCollective:
    case OpKind::kRecord:
    case OpKind::kWait:
      uses_.issue(op.stream);
      break;
    case OpKind::kHostWait:
    case OpKind::kHostWork:
      break;
  }
}

AllocatorResult AllocatorReplay::run() {
  const std::vector<schedule::Op>& ops = rank_.program->ops;
  for (; at_ < ops.size(); ++at_) visit(ops[at_]);
  close_step();
  out_.retries = allocator_.stats().retries - (out_.out_of_memory ? 1 : 0);
  return std::move(out_);
}

}  // namespace

AllocatorResult replay_allocator(const schedule::Schedule& schedule, const RankState& rank,
                                 const std::vector<SimTime>& marks,
                                 const ExecutorOptions& options) {
  return AllocatorReplay(schedule, rank, marks, options).run();
}

}  // namespace heddle::engine
