#pragma once
// Runs the streams of all ranks: starts the op at a stream's head when its time has come, and wakes
// what waited for it. Streams and hosts that can go on are kept in a worklist instead of calling
// each other, so a long chain of records and waits needs no deep stack.

#include <cstdint>
#include <string>
#include <vector>

#include "sim/engine/cost_table.h"
#include "sim/engine/event_queue.h"
#include "sim/engine/fingerprint.h"
#include "sim/engine/host_thread.h"
#include "sim/engine/rank_state.h"
#include "sim/engine/transfers.h"

namespace heddle::engine {

class StreamRunner {
 public:
  StreamRunner(const schedule::Schedule& schedule, const CostTable& costs, bool record,
               EventQueue& queue, Transfers& transfers, Fingerprint& fingerprint);

  void add_rank(const RankClass& rank_class, const ProgramIndex& index);
  /// Time zero: all hosts set out.
  void begin();
  /// False for an end that was planned before the kernel's pace changed.
  bool current(const Event& finish);
  /// The kernel or record at the head of `stream` ends.
  void finish_op(std::uint32_t stream, SimTime now);
  /// A collective takes its SMs and HBM from here on.
  void begin_collective(const Transfers::Started& started, SimTime now);
  void finish_collective(const Transfers::Finished& finished, SimTime now);

  std::vector<RankState>& ranks() { return ranks_; }
  const std::vector<RankState>& ranks() const { return ranks_; }
  std::string describe_stuck(const RankState& rank) const;

 private:
  /// A stream of a rank with its number in the simulation: class * kStreamCount + stream kind.
  struct Place {
    std::uint32_t number;
    std::uint32_t rank_class;
    std::uint32_t kind;
    RankState& rank;
    StreamState& stream;
    bool is_compute() const { return kind == 0; }
    SimTime ready(Duration launch_latency) const {
      return stream.issued_at[stream.next] + launch_latency;
    }
  };
  Place place(std::uint32_t number);
  void advance(const Place& at, SimTime now);
  void start_head(const Place& at, SimTime now);
  void start_compute(const Place& at, SimTime start);
  void plan_end(const Place& at);
  void replan(std::uint32_t rank_class);
  void leave_beside(std::uint32_t rank_class, std::uint32_t entry, SimTime now);
  void finish_compute(const Place& at, SimTime now);
  void start_wait(const Place& at, SimTime start);
  void pass_wait(const Place& at, SimTime start, const StreamEvent& event);
  void complete_record(const Place& at, SimTime now);
  void complete_head(const Place& at, SimTime end);
  void end_collective(const Place& at, SimTime arrival, const Transfers::Finished& finished,
                      SimTime now);
  void resume(std::uint32_t waiter, SimTime now);
  void drain(SimTime now);

  const schedule::Schedule& schedule_;
  const CostTable& costs_;
  bool record_;
  EventQueue& queue_;
  Transfers& transfers_;
  Fingerprint& fingerprint_;
  HostThread host_;
  std::vector<RankState> ranks_;
  std::vector<std::uint32_t> woken_;  // class * (kStreamCount + 1) + stream kind, or kStreamCount
};

}  // namespace heddle::engine
