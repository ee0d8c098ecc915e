#include "sim/engine/simulation.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/check.h"
#include "sim/engine/background_traffic.h"
#include "sim/engine/event_queue.h"
#include "sim/engine/prepared_schedule.h"
#include "sim/engine/stream_runner.h"
#include "sim/engine/transfers.h"

namespace heddle::engine {
namespace {

/// Everything one run holds. Members are in order of dependence.
class Simulation {
 public:
  Simulation(const schedule::Schedule& schedule, const CostTable& costs,
             const ExecutorOptions& options)
      : schedule_(schedule),
        costs_(costs),
        options_(options),
        folding_(fold_ranks(schedule, costs, options.fold)),
        own_(options.prepared != nullptr ? nullptr : std::make_unique<PreparedSchedule>(schedule)),
        prepared_(own_ ? *own_ : *options.prepared),
        links_(costs.links, options.record_intervals, queue_),
        transfers_(schedule, costs, folding_, collective_counts(), links_, queue_),
        background_(costs.background, links_, queue_),
        streams_(schedule, costs, options.record_intervals, queue_, transfers_, fingerprint_) {
    for (const RankClass& c : folding_.classes) {
      streams_.add_rank(c, prepared_.indices()[static_cast<std::size_t>(c.program)]);
    }
  }

  RunResult run();

 private:
  std::vector<std::uint32_t> collective_counts() const;
  void handle(const Event& event);
  bool finished();
  void check_finished() const;
  RankResult rank_result(RankState& rank) const;

  const schedule::Schedule& schedule_;
  const CostTable& costs_;
  const ExecutorOptions& options_;
  Folding folding_;
  std::unique_ptr<PreparedSchedule> own_;
  const PreparedSchedule& prepared_;
  Fingerprint fingerprint_;
  EventQueue queue_;
  SharedLinks links_;
  Transfers transfers_;
  BackgroundTraffic background_;
  StreamRunner streams_;
  std::size_t finished_ = 0;  // how many ranks, of the first ones
};

/// By communicator, the most any program issues; programs that issue fewer end in a deadlock.
std::vector<std::uint32_t> Simulation::collective_counts() const {
  std::vector<std::uint32_t> counts(schedule_.communicators.size(), 0);
  for (const ProgramIndex& index : prepared_.indices()) {
    for (std::size_t c = 0; c < counts.size(); ++c) {
      counts[c] = std::max(counts[c], index.collective_count[c]);
    }
  }
  return counts;
}

void Simulation::handle(const Event& event) {
  switch (event.phase()) {
    case EventPhase::kOpFinish:
      if (streams_.current(event)) streams_.finish_op(event.subject, event.time);
      break;
    case EventPhase::kTransferFinish:
      if (transfers_.current(event)) {
        streams_.finish_collective(transfers_.finish(event.subject, event.time), event.time);
      }
      break;
    case EventPhase::kTransferStart:
      streams_.begin_collective(transfers_.start(event.subject, event.time), event.time);
      break;
    case EventPhase::kBackgroundFinish:
      if (background_.current(event)) background_.finish(event.subject, event.time);
      break;
    case EventPhase::kBackgroundStart:
      background_.start(event.subject, event.time);
      break;
    case EventPhase::kReshare:
      links_.reshare(event.time);
      break;
  }
}

bool Simulation::finished() {
  const std::vector<RankState>& ranks = streams_.ranks();
  while (finished_ < ranks.size() && ranks[finished_].finished()) ++finished_;
  return finished_ == ranks.size();
}

void Simulation::check_finished() const {
  for (const RankState& rank : streams_.ranks()) {
    HEDDLE_CHECK(rank.finished(), fmt::format("deadlock: rank {} {}", rank.identity.first_rank,
                                              streams_.describe_stuck(rank)));
  }
}

RankResult Simulation::rank_result(RankState& rank) const {
  RankResult result = rank.result();
  if (options_.replay_allocator) {
    result.allocator = prepared_.replays().replay(schedule_, rank, result.marks, options_);
  }
  return result;
}

RunResult Simulation::run() {
  RunResult result;
  background_.begin();
  streams_.begin();
  // Ends that were planned at a slower pace stay in the queue: what is left is theirs, not the
  // job's.
  while (!queue_.only_background()) {
    if (queue_.next_time() > result.end && finished()) break;
    const Event event = queue_.pop();
    result.end = event.time;
    handle(event);
  }
  check_finished();
  for (RankState& rank : streams_.ranks()) result.ranks.push_back(rank_result(rank));
  result.links = links_.take_samples();
  result.collectives = transfers_.take_times();
  result.background = background_.results(result.end);
  result.link_bytes = step_link_bytes(schedule_, costs_);
  result.events = fingerprint_.events();
  result.fingerprint = fingerprint_.hex();
  return result;
}

}  // namespace

RunResult simulate(const schedule::Schedule& schedule, const CostTable& costs,
                   const ExecutorOptions& options) {
  return Simulation(schedule, costs, options).run();
}

}  // namespace heddle::engine
