#include "sim/engine/shared_links.h"

#include <algorithm>

namespace heddle::engine {

std::vector<ResourceUse> occupied_by(std::span<const collective::LinkUse> uses) {
  std::vector<ResourceUse> occupied;
  occupied.reserve(uses.size());
  for (const collective::LinkUse& use : uses) {
    if (use.occupancy_ppb <= 0) continue;
    occupied.push_back({ResourceId{use.link.index()}, use.occupancy_ppb});
  }
  return occupied;
}

SharedLinks::SharedLinks(std::span<const Bandwidth> capacities, bool record, EventQueue& queue)
    : queue_(queue), network_(capacities), recorder_(capacities.size()), record_(record) {}

std::uint32_t SharedLinks::add_mover(EventPhase finish, std::uint32_t subject) {
  movers_.push_back({finish, subject, 0, {}, 0, false, {}});
  return static_cast<std::uint32_t>(movers_.size() - 1);
}

void SharedLinks::pass_time(SimTime now) {
  network_.advance(now - network_time_);
  network_time_ = now;
}

void SharedLinks::request_reshare(SimTime now) {
  if (reshare_pending_) return;
  reshare_pending_ = true;
  queue_.push(now, EventPhase::kReshare);
}

void SharedLinks::enter(std::uint32_t mover, const Transfer& transfer, SimTime now) {
  pass_time(now);
  Mover& m = movers_[mover];
  m.endless = transfer.payload == Bytes{};
  m.activity = m.endless ? network_.add_endless(transfer.cap, transfer.occupied)
                         : network_.add(transfer.payload, transfer.cap, transfer.occupied);
  m.rate = 0;
  m.carried = transfer.carried;
  owner_.resize(std::max(owner_.size(), m.activity.index() + 1));
  owner_[m.activity.index()] = mover;
  request_reshare(now);
}

void SharedLinks::leave(std::uint32_t mover, SimTime now) {
  pass_time(now);
  Mover& m = movers_[mover];
  if (record_) recorder_.change(m.carried, -m.rate);
  network_.remove(m.activity);
  m.activity = ActivityId{};
  request_reshare(now);
}

Bytes SharedLinks::moved(std::uint32_t mover, SimTime now) {
  pass_time(now);
  return inside(mover) ? network_.moved(movers_[mover].activity) : Bytes{};
}

void SharedLinks::plan_finish(std::uint32_t mover, SimTime at) {
  Mover& m = movers_[mover];
  queue_.push(at, m.finish, m.subject, ++m.version);
}

void SharedLinks::reshare(SimTime now) {
  reshare_pending_ = false;
  pass_time(now);
  network_.solve();
  for (const ActivityId activity : network_.changed()) {
    const std::uint32_t mover = owner_[activity.index()];
    Mover& m = movers_[mover];
    const std::int64_t rate = network_.rate(activity).bytes_per_second;
    if (record_) recorder_.change(m.carried, rate - m.rate);
    m.rate = rate;
    if (!m.endless) plan_finish(mover, now + network_.time_left(activity));
  }
  if (record_) recorder_.flush(now);
}

}  // namespace heddle::engine
