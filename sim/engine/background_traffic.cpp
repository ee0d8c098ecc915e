#include "sim/engine/background_traffic.h"

#include <algorithm>

namespace heddle::engine {

BackgroundTraffic::BackgroundTraffic(const std::vector<BackgroundFlow>& flows, SharedLinks& links,
                                     EventQueue& queue)
    : flows_(flows), links_(links), queue_(queue) {
  states_.reserve(flows.size());
  for (std::uint32_t f = 0; f < flows.size(); ++f) {
    const std::uint32_t mover = links.add_mover(EventPhase::kBackgroundFinish, f);
    states_.push_back({mover, occupied_by(flows[f].uses), flows[f].start, 0, {}});
  }
}

void BackgroundTraffic::begin() {
  for (std::uint32_t f = 0; f < states_.size(); ++f) plan_next(f, SimTime{});
}

void BackgroundTraffic::plan_next(std::uint32_t flow, SimTime now) {
  State& state = states_[flow];
  const SimTime begin = std::max(state.due, now);
  state.behind = begin - state.due;
  queue_.push(begin + flows_[flow].latency, EventPhase::kBackgroundStart, flow);
}

void BackgroundTraffic::start(std::uint32_t flow, SimTime now) {
  const BackgroundFlow& f = flows_[flow];
  links_.enter(states_[flow].mover, {f.payload, f.cap, states_[flow].occupied, f.uses}, now);
}

bool BackgroundTraffic::current(const Event& finish) const {
  return links_.current(states_[finish.subject].mover, finish);
}

void BackgroundTraffic::finish(std::uint32_t flow, SimTime now) {
  State& state = states_[flow];
  links_.leave(state.mover, now);
  ++state.finished;
  const Duration period = flows_[flow].period;
  state.due = period > Duration{} ? state.due + period : now;
  plan_next(flow, now);
}

std::vector<BackgroundResult> BackgroundTraffic::results(SimTime now) {
  std::vector<BackgroundResult> results;
  results.reserve(states_.size());
  for (std::uint32_t f = 0; f < states_.size(); ++f) {
    State& state = states_[f];
    const Bytes running = links_.moved(state.mover, now);
    results.push_back({flows_[f].payload * state.finished + running, state.finished, state.behind});
  }
  return results;
}

}  // namespace heddle::engine
