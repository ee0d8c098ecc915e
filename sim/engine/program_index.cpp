#include "sim/engine/program_index.h"

#include <map>
#include <utility>

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

Folding fold_ranks(const schedule::Schedule& schedule, std::span<const std::int64_t> speeds,
                   bool fold) {
  std::map<std::pair<int, std::int64_t>, std::uint32_t> known;  // class by program and speed
  Folding folding;
  for (int rank = 0; rank < schedule.rank_count(); ++rank) {
    const int program = schedule.program_of_rank[static_cast<std::size_t>(rank)];
    const std::int64_t speed = speed_of(speeds, rank);
    const auto next = static_cast<std::uint32_t>(folding.classes.size());
    const auto [found, fresh] = known.try_emplace({program, speed}, next);
    if (fresh || !fold) {
      folding.classes.push_back({program, rank, 1, speed});
      folding.class_of_rank.push_back(next);
    } else {
      ++folding.classes[found->second].multiplicity;
      folding.class_of_rank.push_back(found->second);
    }
  }
  return folding;
}

std::vector<std::vector<std::uint32_t>> classes_by_communicator(const schedule::Schedule& schedule,
                                                                const Folding& folding) {
  std::vector<std::vector<std::uint32_t>> result(schedule.communicators.size());
  std::vector<std::size_t> seen_by(folding.classes.size(), result.size());  // last communicator
  for (std::size_t c = 0; c < result.size(); ++c) {
    for (const int rank : schedule.communicators[c].ranks) {
      const std::uint32_t rank_class = folding.class_of_rank[static_cast<std::size_t>(rank)];
      if (seen_by[rank_class] == c) continue;
      seen_by[rank_class] = c;
      result[c].push_back(rank_class);
    }
  }
  return result;
}

}  // namespace heddle::engine
