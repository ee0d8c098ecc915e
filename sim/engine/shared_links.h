#pragma once
// Who moves bytes over the links now, at which rate, and when each will be done. A mover is a
// communicator or a flow of background traffic: it has at most one transfer at a time. Arrivals and
// departures only ask for new rates; they are solved once, when all else of the tick is done.

#include <cstdint>
#include <span>
#include <vector>

#include "sim/collective/collective_model.h"
#include "sim/engine/event_queue.h"
#include "sim/engine/fluid_network.h"
#include "sim/engine/link_recorder.h"

namespace heddle::engine {

/// What a mover does to the links while it is among them. Spans are kept until it leaves.
struct Transfer {
  Bytes payload;  // zero: it never ends
  Bandwidth cap;
  std::span<const ResourceUse> occupied;         // what the sharing is about
  std::span<const collective::LinkUse> carried;  // true bytes, for the record
};

/// The occupancy of `uses`, without links that are not kept busy.
std::vector<ResourceUse> occupied_by(std::span<const collective::LinkUse> uses);

class SharedLinks {
 public:
  SharedLinks(std::span<const Bandwidth> capacities, bool record, EventQueue& queue);

  /// Movers count from zero. The end of its transfers is an event of that phase and subject.
  std::uint32_t add_mover(EventPhase finish, std::uint32_t subject);
  void enter(std::uint32_t mover, const Transfer& transfer, SimTime now);
  void leave(std::uint32_t mover, SimTime now);
  bool inside(std::uint32_t mover) const { return movers_[mover].activity.valid(); }
  /// Payload moved since it entered.
  Bytes moved(std::uint32_t mover, SimTime now);
  /// Plans an end by other means than a rate.
  void plan_finish(std::uint32_t mover, SimTime at);
  /// False for an end that was planned before the rate changed.
  bool current(std::uint32_t mover, const Event& finish) const {
    return movers_[mover].version == finish.version;
  }
  /// Solves the rates and plans the ends anew. Comes after all else of its tick.
  void reshare(SimTime now);

  std::vector<LinkSample> take_samples() { return recorder_.take(); }

 private:
  struct Mover {
    EventPhase finish;
    std::uint32_t subject;
    std::uint32_t version = 0;  // of the planned finish
    ActivityId activity;        // valid while among the links
    std::int64_t rate = 0;
    bool endless = false;
    std::span<const collective::LinkUse> carried;
  };
  void pass_time(SimTime now);
  void request_reshare(SimTime now);

  EventQueue& queue_;
  std::vector<Mover> movers_;
  std::vector<std::uint32_t> owner_;  // mover by activity
  FluidNetwork network_;
  LinkRecorder recorder_;
  bool record_;
  bool reshare_pending_ = false;
  SimTime network_time_;
};

}  // namespace heddle::engine
