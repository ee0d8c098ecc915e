#pragma once
// Where the time of the compute stream went: consecutive segments from the start of the run, each
// with one cause, cut into steps at the end. Definitions: README.md, section "Accounting".

#include <cstddef>
#include <vector>

#include "sim/engine/run_result.h"

namespace heddle::engine {

enum class Cause : unsigned char { kCompute, kExposedComm, kHost, kOther };

class StepLedger {
 public:
  /// The host stood still in [from, until) for a stream event; `comm`: one bound by a collective.
  void host_blocked(SimTime from, SimTime until, bool comm);
  /// A wait held the compute stream back until `until`.
  void stream_waited(bool comm) { waited_for_comm_ = comm; }
  /// The compute stream did `cause` in [start, end). The idle time before is charged to the host
  /// until `ready`, when issue and launch latency would have allowed the start, then to the wait.
  void work(SimTime ready, SimTime start, SimTime end, Cause cause);
  /// The kernel that ends at `end` took `by` longer than alone.
  void slowed(SimTime end, Duration by) {
    if (by.ps > 0) slowdowns_.push_back({end, by});
  }
  /// Nothing more is issued: idle until `host_end` for the host, then until `end` for `cause`.
  void close(SimTime host_end, SimTime end, Cause cause);
  /// Steps that begin at `begin` and end at each of `ends`, which do not decrease.
  std::vector<StepAccounting> steps(SimTime begin, const std::vector<SimTime>& ends) const;

 private:
  struct Segment {
    SimTime end;
    Cause cause;
  };
  struct HostBlock {
    SimTime from;
    SimTime until;
    bool comm;
  };
  void extend(SimTime end, Cause cause);
  void extend_host(SimTime end);

  struct Slowdown {
    SimTime end;
    Duration by;
  };
  std::vector<Segment> segments_;
  std::vector<Slowdown> slowdowns_;  // by end
  std::vector<HostBlock> blocks_;
  std::size_t next_block_ = 0;
  SimTime end_;  // of the last segment
  bool waited_for_comm_ = false;
};

}  // namespace heddle::engine
