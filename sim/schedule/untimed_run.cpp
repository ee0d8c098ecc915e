#include "sim/schedule/untimed_run.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <deque>
#include <utility>

namespace heddle::schedule {
namespace {

struct StreamOp {
  std::uint32_t op = 0;
  std::uint32_t sequence = 0;  // of a collective on its communicator
};

struct Rank {
  std::size_t host = 0;
  std::array<std::deque<StreamOp>, kStreamCount> streams;
  std::array<bool, kStreamCount> in_collective{};
  std::vector<bool> done;             // events
  std::vector<std::uint32_t> issued;  // collectives by communicator
};

struct Arrival {
  std::size_t rank = 0;
  std::size_t stream = 0;
  std::uint32_t op = 0;
};

/// The instances of one group of a communicator that somebody has reached.
struct Meeting {
  std::uint32_t next = 0;                     // first instance that is not complete
  std::deque<std::vector<Arrival>> arrivals;  // from `next` on
};

class UntimedRun {
 public:
  explicit UntimedRun(const Schedule& s) : s_(s) {
    for (const Communicator& c : s.communicators) {
      meetings_.emplace_back(c.groups.size());
      groups_.push_back(group_of_rank(c, s.rank_count()));
    }
    ranks_.resize(s.program_of_rank.size());
    for (Rank& rank : ranks_) {
      rank.done.resize(s.event_count);
      rank.issued.resize(s.communicators.size());
    }
  }

  std::vector<std::string> run() {
    for (bool progress = true; progress && problems_.empty();) {
      progress = false;
      for (std::size_t r = 0; r < ranks_.size(); ++r) progress |= advance(r);
      for (std::size_t c = 0; c < meetings_.size(); ++c) progress |= complete_ready(c);
    }
    for (std::size_t r = 0; r < ranks_.size() && problems_.empty(); ++r) report_if_stuck(r);
    return std::move(problems_);
  }

 private:
  std::size_t program_of(std::size_t rank) const {
    return static_cast<std::size_t>(s_.program_of_rank[rank]);
  }
  const std::vector<Op>& ops(std::size_t rank) const { return s_.programs[program_of(rank)].ops; }

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
      issue(rank, op);
    }
    return rank.host != before;
  }

  void issue(Rank& rank, const Op& op) {
    const bool is_collective = op.kind == OpKind::kCollective;
    if (!is_collective && op.kind != OpKind::kRecord && op.kind != OpKind::kWait) return;
    std::uint32_t sequence = 0;
    if (is_collective) sequence = rank.issued[s_.collectives[op.arg].communicator.index()]++;
    rank.streams[static_cast<std::size_t>(op.stream)].push_back(
        {static_cast<std::uint32_t>(rank.host), sequence});
  }

  bool advance_stream(std::size_t r, std::size_t stream) {
    Rank& rank = ranks_[r];
    auto& queue = rank.streams[stream];
    bool moved = false;
    while (!queue.empty() && !rank.in_collective[stream]) {
      const Op& op = ops(r)[queue.front().op];
      if (op.kind == OpKind::kWait && !rank.done[op.arg]) break;
      if (op.kind == OpKind::kRecord) rank.done[op.arg] = true;
      if (op.kind == OpKind::kCollective) {
        rank.in_collective[stream] = true;
        arrive(s_.collectives[op.arg].communicator.index(), queue.front().sequence,
               {r, stream, queue.front().op});
      } else {
        queue.pop_front();
      }
      moved = true;
    }
    return moved;
  }

  void arrive(std::size_t communicator, std::uint32_t sequence, const Arrival& arrival) {
    const int group = groups_[communicator][arrival.rank];
    if (group < 0) {
      problems_.push_back(fmt::format("rank {} is not in the communicator of {}", arrival.rank,
                                      describe_op(s_, program_of(arrival.rank), arrival.op)));
      return;
    }
    Meeting& meeting = meetings_[communicator][static_cast<std::size_t>(group)];
    const std::size_t slot = sequence - meeting.next;
    if (meeting.arrivals.size() <= slot) meeting.arrivals.resize(slot + 1);
    meeting.arrivals[slot].push_back(arrival);
  }

  bool complete_ready(std::size_t communicator) {
    bool moved = false;
    for (Meeting& meeting : meetings_[communicator]) {
      moved |= complete_ready(meeting, s_.communicators[communicator].size());
    }
    return moved;
  }

  bool complete_ready(Meeting& meeting, std::size_t members) {
    bool moved = false;
    while (!meeting.arrivals.empty() && meeting.arrivals.front().size() == members) {
      if (!agree(meeting.arrivals.front())) return false;
      for (const Arrival& arrival : meeting.arrivals.front()) {
        ranks_[arrival.rank].streams[arrival.stream].pop_front();
        ranks_[arrival.rank].in_collective[arrival.stream] = false;
      }
      meeting.arrivals.pop_front();
      ++meeting.next;
      moved = true;
    }
    return moved;
  }

  bool agree(const std::vector<Arrival>& arrivals) {
    const Arrival& first = arrivals.front();
    for (const Arrival& other : arrivals) {
      const Collective& a = s_.collectives[ops(first.rank)[first.op].arg];
      const Collective& b = s_.collectives[ops(other.rank)[other.op].arg];
      if (a == b) continue;
      problems_.push_back(
          fmt::format("rank {} issues another collective than rank {}: {} against {}", other.rank,
                      first.rank, describe_op(s_, program_of(other.rank), other.op),
                      describe_op(s_, program_of(first.rank), first.op)));
      return false;
    }
    return true;
  }

  void report_if_stuck(std::size_t r) {
    const Rank& rank = ranks_[r];
    std::size_t op = rank.host;
    for (const auto& queue : rank.streams) {
      if (op == ops(r).size() && !queue.empty()) op = queue.front().op;
    }
    if (op == ops(r).size()) return;
    problems_.push_back(
        fmt::format("rank {} waits for ever at {}", r, describe_op(s_, program_of(r), op)));
  }

  const Schedule& s_;
  std::vector<Rank> ranks_;
  std::vector<std::vector<Meeting>> meetings_;  // by communicator, group
  std::vector<std::vector<int>> groups_;        // by communicator, rank
  std::vector<std::string> problems_;
};

}  // namespace

std::string describe_op(const Schedule& s, std::size_t program, std::size_t op) {
  const Op& o = s.programs[program].ops[op];
  if (o.label.index() >= s.labels.size()) return fmt::format("program {}, op {}", program, op);
  const Label& label = s.label(o.label);
  return fmt::format("program {}, op {} ({} {}, layer {}, \"{}\")", program, op, to_string(o.kind),
                     to_string(label.phase), label.layer, label.name);
}

std::vector<std::string> run_untimed(const Schedule& schedule) {
  return UntimedRun(schedule).run();
}

}  // namespace heddle::schedule
