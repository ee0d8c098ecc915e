#include "sim/schedule/schedule_check.h"

#include <fmt/format.h>

#include <array>
#include <deque>

namespace heddle::schedule {
namespace {

std::string place(const Schedule& s, std::size_t program, std::size_t op) {
  const Op& o = s.programs[program].ops[op];
  if (o.label.index() >= s.labels.size()) return fmt::format("program {}, op {}", program, op);
  const Label& label = s.label(o.label);
  return fmt::format("program {}, op {} ({} {}, layer {}, \"{}\")", program, op, to_string(o.kind),
                     to_string(label.phase), label.layer, label.name);
}

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
    out_.push_back(fmt::format("{}: {}", place(s_, program_, at_), what));
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

/// Runs all ranks without a clock: whatever can happen happens, until nothing more does.
class UntimedRun {
 public:
  UntimedRun(const Schedule& s, std::vector<std::string>& out) : s_(s), out_(out) {
    ranks_.resize(s.program_of_rank.size());
    for (Rank& rank : ranks_) {
      rank.done.resize(s.event_count);
      rank.arrived.resize(s.communicators.size());
    }
  }

  void run() {
    bool progress = true;
    while (progress && out_.empty()) {
      progress = false;
      for (std::size_t r = 0; r < ranks_.size(); ++r) progress |= advance(r);
      progress |= match_collectives();
    }
    for (std::size_t r = 0; r < ranks_.size() && out_.empty(); ++r) report_if_stuck(r);
  }

 private:
  struct Rank {
    std::size_t host = 0;
    std::array<std::deque<std::uint32_t>, kStreamCount> streams;
    std::array<bool, kStreamCount> in_collective{};
    std::vector<bool> done;                          // events
    std::vector<std::deque<std::uint32_t>> arrived;  // by communicator: ops at their stream's head
  };

  const std::vector<Op>& ops(std::size_t rank) const {
    return s_.programs[static_cast<std::size_t>(s_.program_of_rank[rank])].ops;
  }

  bool advance(std::size_t r) {
    bool any = false;
    for (bool moved = true; moved; any |= moved) {
      moved = advance_host(r);
      for (std::size_t stream = 0; stream < kStreamCount; ++stream) {
        moved |= advance_stream(r, stream);
      }
    }
    return any;
  }

  bool advance_host(std::size_t r) {
    Rank& rank = ranks_[r];
    const std::size_t before = rank.host;
    for (; rank.host < ops(r).size(); ++rank.host) {
      const Op& op = ops(r)[rank.host];
      if (op.kind == OpKind::kHostWait && !rank.done[op.arg]) break;
      const bool on_stream =
          op.kind == OpKind::kCollective || op.kind == OpKind::kRecord || op.kind == OpKind::kWait;
      if (on_stream) {
        rank.streams[static_cast<std::size_t>(op.stream)].push_back(
            static_cast<std::uint32_t>(rank.host));
      }
    }
    return rank.host != before;
  }

  bool advance_stream(std::size_t r, std::size_t stream) {
    Rank& rank = ranks_[r];
    auto& queue = rank.streams[stream];
    bool moved = false;
    while (!queue.empty() && !rank.in_collective[stream]) {
      const Op& op = ops(r)[queue.front()];
      if (op.kind == OpKind::kWait && !rank.done[op.arg]) break;
      if (op.kind == OpKind::kRecord) rank.done[op.arg] = true;
      if (op.kind == OpKind::kCollective) {
        rank.in_collective[stream] = true;
        rank.arrived[s_.collectives[op.arg].communicator.index()].push_back(queue.front());
      } else {
        queue.pop_front();
      }
      moved = true;
    }
    return moved;
  }

  bool match_collectives() {
    bool moved = false;
    for (std::size_t c = 0; c < s_.communicators.size(); ++c) {
      while (all_arrived(c) && out_.empty()) {
        complete(c);
        moved = true;
      }
    }
    return moved;
  }

  bool all_arrived(std::size_t c) const {
    for (const int r : s_.communicators[c].ranks) {
      if (ranks_[static_cast<std::size_t>(r)].arrived[c].empty()) return false;
    }
    return !s_.communicators[c].ranks.empty();
  }

  void complete(std::size_t c) {
    const auto& members = s_.communicators[c].ranks;
    const auto first = static_cast<std::size_t>(members.front());
    const std::uint32_t expected = ranks_[first].arrived[c].front();
    for (const int member : members) {
      const auto r = static_cast<std::size_t>(member);
      Rank& rank = ranks_[r];
      const std::uint32_t mine = rank.arrived[c].front();
      if (!(s_.collectives[ops(r)[mine].arg] == s_.collectives[ops(first)[expected].arg])) {
        out_.push_back(fmt::format("rank {} issues another collective than rank {}: {} against {}",
                                   r, first, place(s_, program_of(r), mine),
                                   place(s_, program_of(first), expected)));
        return;
      }
    }
    for (const int member : members) release(static_cast<std::size_t>(member), c);
  }

  void release(std::size_t r, std::size_t c) {
    Rank& rank = ranks_[r];
    const auto stream = static_cast<std::size_t>(ops(r)[rank.arrived[c].front()].stream);
    rank.arrived[c].pop_front();
    rank.streams[stream].pop_front();
    rank.in_collective[stream] = false;
  }

  void report_if_stuck(std::size_t r) {
    const Rank& rank = ranks_[r];
    if (rank.host < ops(r).size()) {
      out_.push_back(
          fmt::format("rank {} waits for ever at {}", r, place(s_, program_of(r), rank.host)));
      return;
    }
    for (const auto& queue : rank.streams) {
      if (queue.empty()) continue;
      out_.push_back(
          fmt::format("rank {} waits for ever at {}", r, place(s_, program_of(r), queue.front())));
      return;
    }
  }

  std::size_t program_of(std::size_t rank) const {
    return static_cast<std::size_t>(s_.program_of_rank[rank]);
  }

  const Schedule& s_;
  std::vector<std::string>& out_;
  std::vector<Rank> ranks_;
};

}  // namespace

std::vector<std::string> check_schedule(const Schedule& schedule) {
  std::vector<std::string> problems;
  for (std::size_t p = 0; p < schedule.programs.size(); ++p) {
    ProgramCheck(schedule, p, problems).run();
  }
  if (problems.empty()) UntimedRun(schedule, problems).run();
  return problems;
}

}  // namespace heddle::schedule
