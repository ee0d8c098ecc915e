#pragma once
// Walks a rank's program in order on the host's clock. The host runs ahead of the simulated devices
// until it meets a HostWait whose event is not fulfilled yet, or a stream that takes no more
// launches.

#include <cstdint>

#include "sim/engine/executor.h"
#include "sim/engine/fingerprint.h"
#include "sim/engine/rank_state.h"

namespace heddle::engine {

class HostThread {
 public:
  HostThread(const schedule::Schedule& schedule, const HostModel& model, Fingerprint& fingerprint)
      : schedule_(schedule), model_(model), fingerprint_(fingerprint) {}

  /// Until the host has to wait or its program ends.
  void run(std::uint32_t rank_class, RankState& rank);
  /// What the host waits for has come: run on.
  void wake(std::uint32_t rank_class, RankState& rank);

 private:
  bool must_wait(const schedule::Op& op, RankState& rank) const;
  void stop_waiting(const schedule::Op& op, RankState& rank) const;
  void charge(const schedule::Op& op, HostState& host) const;
  void perform(std::uint32_t rank_class, RankState& rank);
  bool begins_step(const schedule::Op& op) const;
  void pass_mark(const schedule::Op& op, RankState& rank) const;

  const schedule::Schedule& schedule_;
  const HostModel& model_;
  Fingerprint& fingerprint_;
};

}  // namespace heddle::engine
