#include "sim/schedule/schedule_check.h"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

#include "sim/schedule/untimed_run.h"

namespace heddle::schedule {
namespace {

std::size_t table_size(const Schedule& s, OpKind kind) {
  switch (kind) {
    case OpKind::kCompute:
      return s.kernels.size();
    case OpKind::kCollective:
      return s.collectives.size();
    case OpKind::kAlloc:
    case OpKind::kFree:
      return s.buffers.size();
    case OpKind::kRecord:
    case OpKind::kWait:
    case OpKind::kHostWait:
      return s.event_count;
    case OpKind::kMark:
      return s.marks.size();
    case OpKind::kHostWork:
      break;
  }
  return Id<void>::kNone + std::size_t{1};  // no table: anything goes
}

/// One pass over a program in host order.
class ProgramCheck {
 public:
  ProgramCheck(const Schedule& s, std::size_t program, std::vector<std::string>& out)
      : s_(s), program_(program), out_(out) {
    recorded_.resize(s.event_count);
    allocated_.resize(s.buffers.size());
    born_in_step_.resize(s.buffers.size());
  }

  void run() {
    const auto& ops = s_.programs[program_].ops;
    for (at_ = 0; at_ < ops.size(); ++at_) {
      const Op& op = ops[at_];
      if (op.arg >= table_size(s_, op.kind) || op.label.index() >= s_.labels.size()) {
        complain("refers to nothing");
        continue;
      }
      visit(op);
    }
  }

 private:
  void complain(std::string_view what) {
    out_.push_back(fmt::format("{}: {}", describe_op(s_, program_, at_), what));
  }

  void visit(const Op& op) {
    switch (op.kind) {
      case OpKind::kRecord:
        if (recorded_[op.arg]) complain("event recorded twice");
        recorded_[op.arg] = true;
        break;
      case OpKind::kWait:
      case OpKind::kHostWait:
        if (!recorded_[op.arg]) complain("waits for an event that was not recorded before it");
        break;
      case OpKind::kAlloc:
        if (allocated_[op.arg]) complain("buffer allocated twice");
        allocated_[op.arg] = true;
        held_ += s_.buffers[op.arg].bytes;
        born_in_step_[op.arg] = step_;
        live_.push_back(op.arg);
        break;
      case OpKind::kFree:
        if (!allocated_[op.arg]) complain("buffer freed while not allocated");
        allocated_[op.arg] = false;
        held_ -= s_.buffers[op.arg].bytes;
        break;
      case OpKind::kMark:
        visit_mark(s_.marks[op.arg]);
        break;
      default:
        break;
    }
  }

  void visit_mark(const Mark& mark) {
    if (mark.kind == Mark::Kind::kStepBegin) {
      step_ = mark.step;
      held_at_begin_ = held_;
    }
    if (mark.kind != Mark::Kind::kStepEnd) return;
    std::erase_if(live_, [&](std::uint32_t id) { return !allocated_[id]; });
    // A step after the first may replace what lives on (buckets rebuilt), but not add to it.
    if (mark.step > 0 && held_ > held_at_begin_) name_leaks(mark.step);
  }

  void name_leaks(int step) {
    for (const std::uint32_t id : live_) {
      if (born_in_step_[id] != step) continue;
      complain(fmt::format("buffer \"{}\" of this step is never freed",
                           s_.label(s_.buffers[id].label).name));
    }
  }

  const Schedule& s_;
  std::size_t program_;
  std::vector<std::string>& out_;
  std::size_t at_ = 0;
  int step_ = -1;
  Bytes held_;
  Bytes held_at_begin_;
  std::vector<bool> recorded_;
  std::vector<bool> allocated_;
  std::vector<int> born_in_step_;
  std::vector<std::uint32_t> live_;
};

/// Why its groups are none, or "".
std::string group_problem(const Communicator& communicator, int ranks) {
  if (communicator.groups.empty()) return "has no ranks";
  std::vector<bool> taken(static_cast<std::size_t>(ranks));
  for (const std::vector<int>& group : communicator.groups) {
    if (group.empty() || group.size() != communicator.size()) return "has groups of unequal size";
    for (const int rank : group) {
      if (rank < 0 || rank >= ranks) return fmt::format("names rank {} of {}", rank, ranks);
      if (taken[static_cast<std::size_t>(rank)]) return fmt::format("has rank {} twice", rank);
      taken[static_cast<std::size_t>(rank)] = true;
    }
  }
  return "";
}

}  // namespace

std::vector<std::string> check_schedule(const Schedule& schedule) {
  std::vector<std::string> problems;
  for (const Communicator& c : schedule.communicators) {
    const std::string problem = group_problem(c, schedule.rank_count());
    if (!problem.empty())
      problems.push_back(fmt::format("communicator \"{}\" {}", c.name, problem));
  }
  if (!problems.empty()) return problems;
  for (std::size_t p = 0; p < schedule.programs.size(); ++p) {
    ProgramCheck(schedule, p, problems).run();
  }
  if (problems.empty()) problems = run_untimed(schedule);
  return problems;
}

}  // namespace heddle::schedule
