#pragma once
// Where the time of the compute stream went: consecutive segments from the start of the run, each
// with one cause, cut into steps at the end. Definitions: README.md, section "Accounting".

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/engine/run_result.h"

namespace heddle::engine {

enum class Cause : unsigned char { kCompute, kExposedComm, kHost, kOther };

/// A collective call of the rank that ended.
struct CommCall {
  std::uint32_t collective = 0;  // CollectiveId
  SimTime ready;                 // this rank was there
  SimTime arrived;               // so was the last one
  SimTime started;               // and the operations before it on the communicator were done
};
/// Number of a call in its rank's ledger, from 1; 0: not a collective.
using CommCallId = std::uint32_t;
inline constexpr CommCallId kNoCall = 0;

class StepLedger {
 public:
  /// Of the calls that idle time may be charged to.
  CommCallId add_call(const CommCall& call) {
    calls_.push_back(call);
    return static_cast<CommCallId>(calls_.size());
  }
  /// The host stood still in [from, until) for a stream event; `call`: the collective behind it.
  void host_blocked(SimTime from, SimTime until, CommCallId call);
  /// A wait held the compute stream back, in the end for `call`.
  void stream_waited(CommCallId call) { waited_for_ = call; }
  /// A kernel ran on the compute stream in [start, end), or the collective `call` itself. The idle
  /// time before is charged to the host until `ready`, when issue and launch latency would have
  /// allowed the start, then to the wait.
  void work(SimTime ready, SimTime start, SimTime end, CommCallId call = kNoCall);
  /// The kernel that ends at `end` took `by` longer than alone.
  void slowed(SimTime end, Duration by) {
    if (by.ps > 0) slowdowns_.push_back({end, by});
  }
  /// Nothing more is issued: idle until `host_end` for the host, then until `end` for `call` or,
  /// without one, for other things.
  void close(SimTime host_end, SimTime end, CommCallId call);
  /// Steps that begin at `begin` and end at each of `ends`, which do not decrease.
  std::vector<StepAccounting> steps(SimTime begin, const std::vector<SimTime>& ends) const;

 private:
  enum class Stage : unsigned char { kLate, kQueued, kOwn };  // of exposed communication
  struct Segment {
    SimTime end;
    Cause cause;
    Stage stage = Stage::kOwn;
    std::uint32_t collective = 0;

    bool like(const Segment& other) const {
      return cause == other.cause && stage == other.stage && collective == other.collective;
    }
  };
  struct HostBlock {
    SimTime from;
    SimTime until;
    CommCallId call;
  };
  void extend(const Segment& segment);
  void extend_host(SimTime end);
  void extend_wait(SimTime end, CommCallId call);
  static void add(const Segment& segment, Duration time, StepAccounting& step);

  struct Slowdown {
    SimTime end;
    Duration by;
  };
  std::vector<Segment> segments_;
  std::vector<Slowdown> slowdowns_;  // by end
  std::vector<HostBlock> blocks_;
  std::size_t next_block_ = 0;
  SimTime end_;  // of the last segment
  CommCallId waited_for_ = kNoCall;
  std::vector<CommCall> calls_;
};

}  // namespace heddle::engine
