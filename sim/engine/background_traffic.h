#pragma once
// Runs the flows of background traffic beside the job's collectives.

#include <cstdint>
#include <vector>

#include "sim/engine/background_flow.h"
#include "sim/engine/event_queue.h"
#include "sim/engine/run_result.h"
#include "sim/engine/shared_links.h"

namespace heddle::engine {

class BackgroundTraffic {
 public:
  /// `flows` must outlive this.
  BackgroundTraffic(const std::vector<BackgroundFlow>& flows, SharedLinks& links,
                    EventQueue& queue);

  /// Plans the first transfers.
  void begin();
  void start(std::uint32_t flow, SimTime now);
  bool current(const Event& finish) const;
  void finish(std::uint32_t flow, SimTime now);
  /// By flow, up to `now`.
  std::vector<BackgroundResult> results(SimTime now);

 private:
  struct State {
    std::uint32_t mover = 0;
    std::vector<ResourceUse> occupied;
    SimTime due;  // when the transfer that runs, or is next, should have begun
    std::int64_t finished = 0;
    Duration behind;  // how much later than due that begins
  };
  void plan_next(std::uint32_t flow, SimTime now);

  const std::vector<BackgroundFlow>& flows_;
  SharedLinks& links_;
  EventQueue& queue_;
  std::vector<State> states_;
};

}  // namespace heddle::engine
