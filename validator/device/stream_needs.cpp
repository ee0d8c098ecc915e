#include "validator/device/stream_needs.h"

#include <algorithm>

#include "sim/base/check.h"

namespace heddle::device {

using schedule::OpKind;
using schedule::StreamKind;

const schedule::Program& program_of(const schedule::Schedule& s, int rank) {
  const int program = s.program_of_rank[static_cast<std::size_t>(rank)];
  return s.programs[static_cast<std::size_t>(program)];
}

CollectiveView view_of_member(const schedule::Schedule& s, int rank, schedule::CollectiveId id,
                              std::uint64_t number) {
  CollectiveView view;
  view.collective = s.collective(id);
  const schedule::Communicator& communicator =
      s.communicators[view.collective.communicator.index()];
  view.position = schedule::position_in_group(communicator, rank);
  HEDDLE_CHECK(view.position >= 0, "a collective of a communicator the rank is not in");
  view.size = static_cast<int>(communicator.size());
  view.number = number;
  return view;
}

StreamNeeds needs_of(const schedule::Schedule& s, int rank, StreamKind kind) {
  StreamNeeds needs;
  std::vector<bool> seen(s.kernels.size());
  for (const schedule::Op& op : program_of(s, rank).ops) {
    if (op.stream != kind) continue;
    if (op.kind == OpKind::kCompute && !seen[op.arg]) {
      seen[op.arg] = true;
      needs.kernels.push_back(s.kernels[op.arg]);
    }
    if (op.kind == OpKind::kCollective) {
      const CollectiveView view = view_of_member(s, rank, schedule::CollectiveId{op.arg}, 0);
      needs.input = std::max(needs.input, view.input_bytes());
      needs.output = std::max(needs.output, view.output_bytes());
    }
    needs.timed += op.kind == OpKind::kCompute || op.kind == OpKind::kCollective ? 1 : 0;
  }
  return needs;
}

}  // namespace heddle::device
