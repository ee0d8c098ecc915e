#include "sim/engine/fluid_network.h"

#include "sim/base/check.h"

namespace heddle::engine {
FluidNetwork::FluidNetwork(std::span<const Bandwidth> capacities) : resources_(capacities.size()) {
  for (std::size_t r = 0; r < capacities.size(); ++r) {
    resources_[r].capacity = capacities[r].bytes_per_second;
  }
}

std::uint32_t FluidNetwork::take_slot() {
  if (free_slots_.empty()) {
    activities_.emplace_back();
    return static_cast<std::uint32_t>(activities_.size() - 1);
  }
  const std::uint32_t slot = free_slots_.back();
  free_slots_.pop_back();
  return slot;
}

ActivityId FluidNetwork::add(Bytes payload, Bandwidth cap, std::span<const ResourceUse> uses) {
  HEDDLE_CHECK(payload.value > 0, "nothing to move");
  return insert(static_cast<Int128>(payload.value) * kPicosPerSecond, cap, uses);
}

ActivityId FluidNetwork::add_endless(Bandwidth cap, std::span<const ResourceUse> uses) {
  return insert(0, cap, uses);
}

ActivityId FluidNetwork::insert(Int128 payload, Bandwidth cap, std::span<const ResourceUse> uses) {
  HEDDLE_CHECK(cap.bytes_per_second > 0, "no way to move anything");
  const std::uint32_t slot = take_slot();
  Activity& a = activities_[slot];
  a.payload = payload;
  a.left = payload;
  a.since = clock_;
  a.rate = 0;
  a.cap = cap.bytes_per_second;
  a.active = true;
  a.uses.clear();
  for (const ResourceUse& use : uses) {
    HEDDLE_CHECK(use.weight_ppb > 0, "a use without weight");
    const auto r = static_cast<std::uint32_t>(use.resource.index());
    std::vector<User>& users = resources_[r].users;
    a.uses.push_back({r, static_cast<std::uint32_t>(users.size()), use.weight_ppb});
    users.push_back({slot, static_cast<std::uint32_t>(a.uses.size() - 1)});
    touch(r);
  }
  ++active_count_;
  collect_activity(slot);
  return ActivityId{slot};
}

void FluidNetwork::remove(ActivityId id) {
  Activity& a = activities_[id.index()];
  HEDDLE_CHECK(a.active, "an activity is removed twice");
  for (const Use& use : a.uses) {
    unlink(use);
    touch(use.resource);
  }
  a.active = false;
  --active_count_;
  free_slots_.push_back(id.value);
}

/// Swaps the last user into the gap, so that removal costs the same however long the list is.
void FluidNetwork::unlink(const Use& use) {
  std::vector<User>& users = resources_[use.resource].users;
  const User last = users.back();
  users[use.position] = last;
  activities_[last.activity].uses[last.use].position = use.position;
  users.pop_back();
}

void FluidNetwork::touch(std::uint32_t resource) {
  if (resources_[resource].touched) return;
  resources_[resource].touched = true;
  touched_.push_back(resource);
}

void FluidNetwork::collect_activity(std::uint32_t activity) {
  if (activities_[activity].collected) return;
  activities_[activity].collected = true;
  collected_.push_back(activity);
}

void FluidNetwork::collect_components() {
  for (std::size_t i = 0; i < touched_.size(); ++i) {  // grows while we walk
    for (const User& user : resources_[touched_[i]].users) {
      if (activities_[user.activity].collected) continue;
      collect_activity(user.activity);
      for (const Use& use : activities_[user.activity].uses) touch(use.resource);
    }
  }
}

void FluidNetwork::fill_solver() {
  solver_.clear();
  for (const std::uint32_t r : touched_) {
    resources_[r].local = solver_.add_resource(resources_[r].capacity);
    resources_[r].touched = false;
  }
  for (const std::uint32_t slot : collected_) {
    Activity& a = activities_[slot];
    a.collected = false;
    if (!a.active) continue;
    a.local = solver_.add_activity(a.cap);
    for (const Use& use : a.uses) solver_.add_use(resources_[use.resource].local, use.weight);
  }
}

void FluidNetwork::solve() {
  changed_.clear();
  collect_components();
  fill_solver();
  const std::span<const std::int64_t> rates = solver_.solve();
  for (const std::uint32_t slot : collected_) {
    const Activity& a = activities_[slot];
    if (a.active && a.rate != rates[a.local]) set_rate(slot, rates[a.local]);
  }
  touched_.clear();
  collected_.clear();
}

void FluidNetwork::set_rate(std::uint32_t activity, std::int64_t rate) {
  Activity& a = activities_[activity];
  a.left -= static_cast<Int128>(a.rate) * (clock_ - a.since).ps;
  a.since = clock_;
  a.rate = rate;
  changed_.push_back(ActivityId{activity});
}

Duration FluidNetwork::time_left(ActivityId id) const {
  const Activity& a = activities_[id.index()];
  HEDDLE_CHECK(a.rate > 0 && a.payload > 0, "an activity without a rate or an end never finishes");
  const Int128 whole = (a.left + a.rate - 1) / a.rate;
  HEDDLE_CHECK(whole < kPicosPerSecond * 9'000'000, "a transfer would take more than 100 days");
  return Duration{static_cast<std::int64_t>(whole)} - (clock_ - a.since);
}

Bytes FluidNetwork::moved(ActivityId id) const {
  const Activity& a = activities_[id.index()];
  const Int128 now = a.left - static_cast<Int128>(a.rate) * (clock_ - a.since).ps;
  return {static_cast<std::int64_t>((a.payload - now) / kPicosPerSecond)};
}

Bandwidth FluidNetwork::load(ResourceId id) const {
  Int128 sum = 0;
  for (const User& user : resources_[id.index()].users) {
    const Activity& a = activities_[user.activity];
    sum += static_cast<Int128>(a.uses[user.use].weight) * a.rate;
  }
  return {static_cast<std::int64_t>((sum + kPpb - 1) / kPpb)};
}

}  // namespace heddle::engine
