#pragma once
// A program seen from its streams: which ops each will run, in order. Built once per program.

#include <array>
#include <cstdint>
#include <vector>

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

}  // namespace heddle::engine
