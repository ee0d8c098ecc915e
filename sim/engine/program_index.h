#pragma once
// A program seen from its streams: which ops each will run, in order. Built once per program.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/engine/gpu_speed.h"
#include "sim/schedule/schedule.h"

namespace heddle::engine {

/// The rest happens on the host.
constexpr bool runs_on_stream(schedule::OpKind kind) {
  using schedule::OpKind;
  return kind == OpKind::kCompute || kind == OpKind::kCollective || kind == OpKind::kRecord ||
         kind == OpKind::kWait;
}

struct StreamOp {
  std::uint32_t op = 0;  // index in the program
  std::uint32_t arg = 0;
  std::uint32_t sequence =
      0;  // of a collective: how many its communicator had before in program order
  schedule::OpKind kind = schedule::OpKind::kCompute;
  std::uint32_t launches = 0;  // of its stream up to and with this op
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
  std::int64_t speed_ppb = kPpb;  // of its GPUs
};

struct Folding {
  std::vector<RankClass> classes;  // in order of first rank
  std::vector<std::uint32_t> class_of_rank;
};

/// One class per program and speed in use, or per rank if not `fold`. GPUs of one speed are equal
/// (the platform has one model), so equal programs mean equal ranks. `speeds`: ppb by rank; empty:
/// all at full speed.
Folding fold_ranks(const schedule::Schedule& schedule, std::span<const std::int64_t> speeds,
                   bool fold);

/// For each communicator the classes among its ranks, each once, in the ranks' order.
std::vector<std::vector<std::uint32_t>> classes_by_communicator(const schedule::Schedule& schedule,
                                                                const Folding& folding);

}  // namespace heddle::engine
