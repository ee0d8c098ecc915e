#include "sim/engine/program_index.h"

namespace heddle::engine {
namespace {

using schedule::OpKind;

bool runs_on_stream(OpKind kind) {
  return kind == OpKind::kCompute || kind == OpKind::kCollective || kind == OpKind::kRecord ||
         kind == OpKind::kWait;
}

/// rank -> number of its class.
std::vector<std::uint32_t> class_of_rank(const schedule::Schedule& schedule,
                                         const std::vector<RankClass>& classes, bool fold) {
  std::vector<std::uint32_t> of_program(schedule.programs.size(), 0);
  for (std::uint32_t c = 0; c < classes.size(); ++c) {
    of_program[static_cast<std::size_t>(classes[c].program)] = c;
  }
  std::vector<std::uint32_t> result(schedule.program_of_rank.size());
  for (std::uint32_t r = 0; r < result.size(); ++r) {
    result[r] = fold ? of_program[static_cast<std::size_t>(schedule.program_of_rank[r])] : r;
  }
  return result;
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
    StreamOp entry{i, op.arg, 0, op.kind};
    if (op.kind == OpKind::kCollective) {
      const auto c = schedule.collective(schedule::CollectiveId{op.arg}).communicator.index();
      entry.sequence = index.collective_count[c]++;
    }
    index.streams[static_cast<std::size_t>(op.stream)].push_back(entry);
  }
  return index;
}

std::vector<RankClass> rank_classes(const schedule::Schedule& schedule, bool fold) {
  constexpr std::size_t kUnseen = static_cast<std::size_t>(-1);
  std::vector<std::size_t> of_program(schedule.programs.size(), kUnseen);
  std::vector<RankClass> classes;
  for (int rank = 0; rank < schedule.rank_count(); ++rank) {
    const int program = schedule.program_of_rank[static_cast<std::size_t>(rank)];
    std::size_t& known = of_program[static_cast<std::size_t>(program)];
    if (fold && known != kUnseen) {
      ++classes[known].multiplicity;
    } else {
      known = classes.size();
      classes.push_back({program, rank, 1});
    }
  }
  return classes;
}

std::vector<std::vector<std::uint32_t>> classes_by_communicator(
    const schedule::Schedule& schedule, const std::vector<RankClass>& classes, bool fold) {
  const std::vector<std::uint32_t> of_rank = class_of_rank(schedule, classes, fold);
  std::vector<std::vector<std::uint32_t>> result(schedule.communicators.size());
  std::vector<std::size_t> seen_by(classes.size(), result.size());  // last communicator
  for (std::size_t c = 0; c < result.size(); ++c) {
    for (const int rank : schedule.communicators[c].ranks) {
      const std::uint32_t rank_class = of_rank[static_cast<std::size_t>(rank)];
      if (seen_by[rank_class] == c) continue;
      seen_by[rank_class] = c;
      result[c].push_back(rank_class);
    }
  }
  return result;
}

}  // namespace heddle::engine
