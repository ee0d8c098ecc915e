#pragma once
// Writes a schedule op by op, in the order the host thread issues it. The builder keeps the current
// place (phase, layer), interns kernels, collectives and labels, and rounds allocations as the
// caching allocator does (512 bytes, c10/cuda/CUDACachingAllocator.cpp).

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/schedule/schedule.h"

namespace heddle::schedule {

inline constexpr std::int64_t kAllocationGranularity = 512;

/// Rounded up to what the allocator hands out.
constexpr Bytes allocation_size(Bytes bytes) {
  return {(bytes.value + kAllocationGranularity - 1) / kAllocationGranularity *
          kAllocationGranularity};
}

struct KernelHash {
  std::size_t operator()(const Kernel& kernel) const;
};

class ScheduleBuilder {
 public:
  /// All ranks run the one program that is built. The first communicator is that of all of them.
  explicit ScheduleBuilder(std::vector<Communicator> communicators);
  explicit ScheduleBuilder(int ranks) : ScheduleBuilder({world_communicator(ranks)}) {}

  /// The place of what follows; `layer` -1 outside the layer stack.
  void at(Phase phase, int layer = -1);
  Phase phase() const { return phase_; }
  int layer() const { return layer_; }

  CommunicatorId world() const { return CommunicatorId{0}; }
  const Communicator& communicator(CommunicatorId id) const {
    return schedule_.communicators[id.index()];
  }

  void compute(const Kernel& kernel, int dispatches, std::string_view name,
               StreamKind stream = StreamKind::kCompute);
  void collective(const Collective& collective, int dispatches, std::string_view name,
                  StreamKind stream);
  /// Zero bytes allocate nothing and give an invalid id, which free() ignores.
  BufferId alloc(MemoryCategory category, Bytes bytes, std::string_view name,
                 StreamKind pool = StreamKind::kCompute);
  /// Frees and forgets; a no-op for an invalid id.
  void free(BufferId& buffer);
  /// tensor.record_stream(): `stream` uses the buffer, too. When it is freed, the allocator hands
  /// it out again only after what this stream holds then; until then it counts as active. No-op for
  /// an invalid id and for the buffer's own stream.
  void record_stream(BufferId buffer, StreamKind stream);
  /// Both in one: free once what `stream` holds now is done.
  void free_after(BufferId& buffer, StreamKind stream) {
    record_stream(buffer, stream);
    free(buffer);
  }
  EventId record(StreamKind stream);
  /// Later ops of `stream` wait for `event`; a no-op for an invalid id.
  void wait(StreamKind stream, EventId event);
  void host_wait(EventId event);
  void host_work(int dispatches, std::string_view name);
  void mark(Mark::Kind kind, int step);

  /// What is built so far, with `steps` training steps in it; the builder is spent.
  Schedule finish(int steps);

 private:
  LabelId label(std::string_view name);
  std::uint32_t name_id(std::string_view name);
  Op& push(OpKind kind, StreamKind stream, std::uint32_t arg, std::string_view name);

  Schedule schedule_;
  std::vector<Op> ops_;
  Phase phase_ = Phase::kInit;
  int layer_ = -1;
  std::unordered_map<Kernel, KernelId, KernelHash> kernels_;
  std::unordered_map<std::string_view, std::uint32_t> names_;  // into name_store_
  std::deque<std::string> name_store_;                         // stable addresses
  std::unordered_map<std::uint64_t, LabelId> labels_;          // by (phase, layer, name)
};

}  // namespace heddle::schedule
