#include "sim/engine/program_index.h"

namespace heddle::engine {
namespace {

using schedule::OpKind;

/// What an op adds to its stream's queue. Events are not counted: the measured limit is of kernels.
std::uint32_t launches(const schedule::Schedule& schedule, const schedule::Op& op) {
  if (op.kind == OpKind::kCollective) return 1;
  if (op.kind != OpKind::kCompute) return 0;
  return static_cast<std::uint32_t>(schedule.kernels[op.arg].launches);
}

}  // namespace

ProgramIndex index_program(const schedule::Schedule& schedule, const schedule::Program& program) {
  ProgramIndex index;
  index.collective_count.assign(schedule.communicators.size(), 0);
  std::array<std::size_t, schedule::kStreamCount> counts{};
  for (const schedule::Op& op : program.ops) {
    if (runs_on_stream(op.kind)) ++counts[static_cast<std::size_t>(op.stream)];
  }
  for (std::size_t s = 0; s < counts.size(); ++s) index.streams[s].reserve(counts[s]);
  for (std::uint32_t i = 0; i < program.ops.size(); ++i) {
    const schedule::Op& op = program.ops[i];
    if (!runs_on_stream(op.kind)) continue;
    StreamOp entry{i, op.arg, 0, op.kind, 0};
    if (op.kind == OpKind::kCollective) {
      const auto c = schedule.collective(schedule::CollectiveId{op.arg}).communicator.index();
      entry.sequence = index.collective_count[c]++;
    }
    std::vector<StreamOp>& stream = index.streams[static_cast<std::size_t>(op.stream)];
    entry.launches = launches(schedule, op) + (stream.empty() ? 0 : stream.back().launches);
    stream.push_back(entry);
  }
  return index;
}

}  // namespace heddle::engine
