#include "validator/judge/order_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "sim/base/units_text.h"
#include "validator/device/stream_needs.h"

namespace heddle::judge {
namespace {

constexpr std::size_t kMostFaults = 10;

/// When something is done, and the op that it is the end of.
struct Moment {
  std::int64_t ns = 0;
  std::uint32_t op = 0;

  friend bool operator<(const Moment& a, const Moment& b) { return a.ns < b.ns; }
};

class RankCheck {
 public:
  RankCheck(const schedule::Schedule& schedule, int rank, const execute::RankRun& run,
            std::int64_t tolerance_ns, std::vector<std::string>& faults)
      : schedule_(schedule), rank_(rank), tolerance_(tolerance_ns), faults_(faults) {
    for (const device::OpTime& time : run.ops) times_[time.op] = time;
    events_.resize(schedule.event_count);
    communicators_.resize(schedule.communicators.size());
  }

  void check() {
    const auto& ops = device::program_of(schedule_, rank_).ops;
    for (std::uint32_t at = 0; at < ops.size(); ++at) visit(at, ops[at]);
  }

 private:
  void visit(std::uint32_t at, const schedule::Op& op) {
    const auto stream = static_cast<std::size_t>(op.stream);
    switch (op.kind) {
      case schedule::OpKind::kRecord:
        events_[op.arg] = std::max(ends_[stream], holds_[stream]);
        break;
      case schedule::OpKind::kWait:
        holds_[stream] = std::max(holds_[stream], events_[op.arg]);
        break;
      case schedule::OpKind::kCompute:
        visit_timed(at, stream);
        break;
      case schedule::OpKind::kCollective: {
        Moment& turn = communicators_[schedule_.collectives[op.arg].communicator.index()];
        const auto found = times_.find(at);
        if (found != times_.end()) expect_after(found->second, turn, "on its communicator");
        visit_timed(at, stream);
        turn = ends_[stream];
        break;
      }
      default:
        break;
    }
  }
  void visit_timed(std::uint32_t at, std::size_t stream) {
    const auto found = times_.find(at);
    if (found == times_.end()) {
      add(fmt::format("rank {}: op {} was not run", rank_, at));
      return;
    }
    expect_after(found->second, ends_[stream], "on its stream");
    expect_after(found->second, holds_[stream], "which it waits for");
    ends_[stream] = {found->second.end_ns, at};
  }
  void expect_after(const device::OpTime& time, const Moment& moment, std::string_view where) {
    const std::int64_t early = moment.ns - time.start_ns;
    if (early <= tolerance_) return;
    add(fmt::format("rank {}: op {} starts {} before op {} has ended, {}", rank_, time.op,
                    format_duration(nanoseconds(early)), moment.op, where));
  }
  void add(std::string text) {
    if (faults_.size() < kMostFaults) faults_.push_back(std::move(text));
  }

  const schedule::Schedule& schedule_;
  int rank_;
  std::int64_t tolerance_;
  std::vector<std::string>& faults_;
  std::map<std::uint32_t, device::OpTime> times_;
  std::array<Moment, schedule::kStreamCount> ends_{};
  std::array<Moment, schedule::kStreamCount> holds_{};
  std::vector<Moment> events_;
  std::vector<Moment> communicators_;
};

}  // namespace

std::vector<std::string> order_faults(const schedule::Schedule& schedule,
                                      std::span<const execute::RankRun> runs,
                                      std::int64_t tolerance_ns) {
  std::vector<std::string> faults;
  for (std::size_t rank = 0; rank < runs.size(); ++rank) {
    RankCheck(schedule, static_cast<int>(rank), runs[rank], tolerance_ns, faults).check();
  }
  return faults;
}

}  // namespace heddle::judge
