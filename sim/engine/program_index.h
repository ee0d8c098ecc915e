#pragma once
// A program seen from its streams: which ops each will run, in order. Built once per program.

#include <array>
#include <cstdint>
#include <vector>

#include "sim/schedule/schedule.h"

namespace heddle::engine {

struct StreamOp {
  std::uint32_t op = 0;  // index in the program
  std::uint32_t arg = 0;
  std::uint32_t sequence =
      0;  // of a collective: how many its communicator had before in program order
  schedule::OpKind kind = schedule::OpKind::kCompute;
};

struct ProgramIndex {
  std::array<std::vector<StreamOp>, schedule::kStreamCount> streams;
  std::vector<std::uint32_t> collective_count;  // by communicator
};

ProgramIndex index_program(const schedule::Schedule& schedule, const schedule::Program& program);

/// Ranks that are simulated as one.
struct RankClass {
  int program = 0;
  int first_rank = 0;
  int multiplicity = 1;
};

/// One class per program in use, or per rank if not `fold`; in order of first rank. GPUs are equal
/// (the platform has one model), so equal programs mean equal ranks.
std::vector<RankClass> rank_classes(const schedule::Schedule& schedule, bool fold);

/// For each communicator the classes among its ranks, each once, in the ranks' order.
std::vector<std::vector<std::uint32_t>> classes_by_communicator(
    const schedule::Schedule& schedule, const std::vector<RankClass>& classes, bool fold);

}  // namespace heddle::engine
