#pragma once
// The schedule: the one object that the simulator, the validator's backends and the GUI all read.
// A program per rank class, plus the tables its ops point into. Plain data; built by
// ScheduleBuilder, never changed afterwards; check_schedule() says whether it is sound.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/units.h"
#include "sim/schedule/communicator.h"
#include "sim/schedule/kernel.h"
#include "sim/schedule/op.h"

namespace heddle::schedule {

/// kSendRecv is nccl-tests' sendrecv: every rank sends to the next one and receives from the one
/// before.
enum class CollectiveKind : std::uint8_t {
  kAllReduce,
  kAllGather,
  kReduceScatter,
  kBroadcast,
  kReduce,
  kAllToAll,
  kSendRecv,
};
inline constexpr std::array kCollectiveKinds{
    CollectiveKind::kAllReduce, CollectiveKind::kAllGather, CollectiveKind::kReduceScatter,
    CollectiveKind::kBroadcast, CollectiveKind::kReduce,    CollectiveKind::kAllToAll,
    CollectiveKind::kSendRecv,
};
/// "all_reduce", "all_gather", "reduce_scatter", "broadcast", "reduce", "all_to_all", "send_recv"
std::string_view to_string(CollectiveKind kind);
/// Made of sends from one rank to another, which neither rings nor trees run.
constexpr bool is_point_to_point(CollectiveKind kind) {
  return kind == CollectiveKind::kAllToAll || kind == CollectiveKind::kSendRecv;
}

/// `bytes` is nccl-tests' size: all-reduce, broadcast, reduce and send/recv, each rank's buffer;
/// all-gather, the gathered output; reduce-scatter, the input; all-to-all, what one rank holds for
/// all (its own part included).
struct Collective {
  CollectiveKind kind = CollectiveKind::kAllReduce;
  CommunicatorId communicator;
  Bytes bytes;
  DType dtype = DType::kBFloat16;

  friend bool operator==(const Collective&, const Collective&) = default;
};

struct Buffer {
  Bytes bytes;
  MemoryCategory category = MemoryCategory::kTemporary;
  StreamKind stream = StreamKind::kCompute;  // whose allocator pool owns it
  LabelId label;                             // what it is: phase, layer, name
  std::uint8_t used_by = 0;  // bit s: stream s also uses it, as by tensor.record_stream(); see op.h
};

/// Where an op belongs, for traces and explanations. `layer` is -1 outside the layer stack.
struct Label {
  Phase phase = Phase::kInit;
  std::int32_t layer = -1;
  std::string name;

  friend bool operator==(const Label&, const Label&) = default;
};

/// A named point on the host's clock. Step s runs from the mark {kStepBegin, s} to {kStepEnd, s};
/// kAfterOptimizer is where resident memory is read (gradients still alive, as after
/// optimizer.step() and before zero_grad()).
struct Mark {
  enum class Kind : std::uint8_t { kStepBegin, kAfterOptimizer, kStepEnd };
  Kind kind = Kind::kStepBegin;
  std::int32_t step = 0;
};

struct Program {
  std::vector<Op> ops;
};

struct Schedule {
  std::vector<Program> programs;     // one per rank class
  std::vector<int> program_of_rank;  // rank -> index into programs
  std::vector<Communicator> communicators;
  std::vector<Kernel> kernels;
  std::vector<Collective> collectives;  // interned; an op's instance is its position in the program
  std::vector<Buffer> buffers;          // per program use: ids are not shared between programs
  std::vector<Label> labels;
  std::vector<Mark> marks;
  std::size_t event_count = 0;
  int steps = 0;  // training steps in each program, the last one is steady

  int rank_count() const { return static_cast<int>(program_of_rank.size()); }
  const Kernel& kernel(KernelId id) const { return kernels[id.index()]; }
  const Buffer& buffer(BufferId id) const { return buffers[id.index()]; }
  const Label& label(LabelId id) const { return labels[id.index()]; }
  const Collective& collective(CollectiveId id) const { return collectives[id.index()]; }
};

}  // namespace heddle::schedule
