#include "sim/engine/link_recorder.h"

namespace heddle::engine {
namespace {

using schedule::OpKind;

std::size_t last_step_begin(const schedule::Schedule& schedule, const schedule::Program& program) {
  for (std::size_t i = program.ops.size(); i > 0; --i) {
    const schedule::Op& op = program.ops[i - 1];
    if (op.kind != OpKind::kMark) continue;
    if (schedule.marks[op.arg].kind == schedule::Mark::Kind::kStepBegin) return i - 1;
  }
  return 0;
}

/// Calls of each collective in the last step. A communicator's calls are counted in the program of
/// its first rank; all others make the same.
std::vector<std::int64_t> calls_in_step(const schedule::Schedule& schedule) {
  std::vector<int> counted_in(schedule.communicators.size(), -1);  // program by communicator
  for (std::size_t c = 0; c < counted_in.size(); ++c) {
    const schedule::Communicator& communicator = schedule.communicators[c];
    if (communicator.size() < 2) continue;  // moves nothing
    const int first = communicator.groups.front().front();
    counted_in[c] = schedule.program_of_rank[static_cast<std::size_t>(first)];
  }
  std::vector<std::int64_t> calls(schedule.collectives.size(), 0);
  for (std::size_t p = 0; p < schedule.programs.size(); ++p) {
    const schedule::Program& program = schedule.programs[p];
    for (std::size_t i = last_step_begin(schedule, program); i < program.ops.size(); ++i) {
      const schedule::Op& op = program.ops[i];
      if (op.kind != OpKind::kCollective) continue;
      const schedule::Collective& c = schedule.collectives[op.arg];
      if (counted_in[c.communicator.index()] == static_cast<int>(p)) ++calls[op.arg];
    }
  }
  return calls;
}

}  // namespace

void LinkRecorder::change(std::span<const collective::LinkUse> uses, std::int64_t delta) {
  for (const collective::LinkUse& use : uses) {
    const std::size_t link = use.link.index();
    load_[link] += static_cast<Int128>(use.bytes_ppb) * delta;
    if (noted_[link]) continue;
    noted_[link] = true;
    changed_.push_back(use.link);
  }
}

void LinkRecorder::flush(SimTime now) {
  for (const fabric::LinkId link : changed_) {
    noted_[link.index()] = false;
    const auto load = static_cast<std::int64_t>(load_[link.index()] / kPpb);
    samples_.push_back({now, link, Bandwidth{load}});
  }
  changed_.clear();
}

std::vector<Bytes> step_link_bytes(const schedule::Schedule& schedule, const CostTable& costs) {
  const std::vector<std::int64_t> calls = calls_in_step(schedule);
  std::vector<Int128> ppb(costs.links.size(), 0);
  for (std::size_t c = 0; c < calls.size(); ++c) {
    const auto& groups =
        schedule.communicators[schedule.collectives[c].communicator.index()].groups;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const collective::CollectiveCost& cost = costs.collectives[costs.entry(c, g)];
      const Int128 payload = static_cast<Int128>(cost.payload.value) * calls[c];
      for (const collective::LinkUse& use : cost.uses) {
        ppb[use.link.index()] += payload * use.bytes_ppb;
      }
    }
  }
  std::vector<Bytes> bytes(ppb.size());
  for (std::size_t l = 0; l < ppb.size(); ++l) {
    bytes[l] = {static_cast<std::int64_t>(ppb[l] / kPpb)};
  }
  return bytes;
}

}  // namespace heddle::engine
