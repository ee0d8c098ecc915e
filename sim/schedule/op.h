#pragma once
// The vocabulary of a schedule: what one rank's host thread issues, in the order it issues it.
//
// One host thread per rank walks its program in order. Compute, collective, record and wait
// ops are put on a stream and run there asynchronously, in stream order. Alloc and Free act at once
// on the host's clock, as PyTorch's caching allocator does: memory is taken when the host asks for
// it, not when the GPU gets there. HostWait blocks the host until a stream event has completed.

#include <cstdint>
#include <string_view>

#include "sim/base/id.h"
#include "sim/base/units.h"

namespace heddle::schedule {

using KernelId = Id<struct KernelTag>;
using BufferId = Id<struct BufferTag>;
using EventId = Id<struct EventTag>;            // a CUDA-style stream event, one record per id
using CollectiveId = Id<struct CollectiveTag>;  // entry in Schedule::collectives
using CommunicatorId = Id<struct CommunicatorTag>;
using LabelId = Id<struct LabelTag>;

enum class OpKind : std::uint8_t {
  kCompute,     // arg: KernelId
  kCollective,  // arg: CollectiveId
  kAlloc,       // arg: BufferId
  kFree,        // arg: BufferId; its memory is for others once the streams that use it
                // (Buffer::used_by) are done with what they hold at this moment
  kRecord,      // arg: EventId; completes when the stream gets there
  kWait,        // arg: EventId; later ops of the stream wait for it
  kHostWait,    // arg: EventId; the host waits for it
  kHostWork,    // host time only (views, hooks, Python), no device work
  kMark,        // arg: index into Schedule::marks; a named host-side point (step boundaries)
};
std::string_view to_string(OpKind kind);

/// Streams every dialect may use. Each is a FIFO on the GPU.
enum class StreamKind : std::uint8_t { kCompute, kGather, kReduce, kReplicate };
inline constexpr int kStreamCount = 4;
std::string_view to_string(StreamKind kind);  // "compute", "gather", "reduce", "replicate"

enum class Phase : std::uint8_t {
  kInit,
  kForward,
  kLoss,
  kBackward,
  kReduction,
  kOptimizer,
  kStepEnd
};
inline constexpr int kPhaseCount = 7;
std::string_view to_string(Phase phase);

/// What memory is for. The order is the order of columns everywhere.
enum class MemoryCategory : std::uint8_t {
  kParameters,
  kGradients,
  kOptimizer,
  kActivations,
  kGatheredParameters,
  kCommunication,  // buckets and communication buffers
  kWorkspace,      // library workspaces (cuBLAS)
  kTemporary,
  kFramework,  // inputs, outputs kept alive, small framework state
};
inline constexpr int kCategoryCount = 9;
std::string_view to_string(MemoryCategory category);  // "parameters", "gathered_parameters", ...

struct Op {
  OpKind kind = OpKind::kHostWork;
  StreamKind stream = StreamKind::kCompute;  // meaningful for ops that run on a stream
  std::uint16_t dispatches = 0;  // eager operators the host dispatches for this op (host time)
  std::uint32_t arg = Id<void>::kNone;
  LabelId label;
};

}  // namespace heddle::schedule
