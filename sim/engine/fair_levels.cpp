#include "sim/engine/fair_levels.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "sim/base/check.h"

namespace heddle::engine {
namespace {

std::uint64_t bit(std::size_t position) {
  return std::uint64_t{1} << position % 64;
}

}  // namespace

FairLevels::FairLevels(std::span<const Bandwidth> capacities, std::size_t longest_path)
    : stride_(longest_path - 1), capacity_(capacities.size() + 1, kUnlimited) {
  HEDDLE_CHECK(longest_path >= 1, "a flow uses something");
  for (std::size_t r = 0; r < capacities.size(); ++r) {
    capacity_[r] = capacities[r].bytes_per_second;
  }
  const std::size_t all = capacity_.size();
  elsewhere_.resize(all);
  weight_.resize(all);
  users_.resize(all);
  levels_.assign(all, kUnlimited);
  passed_.resize(all);
  marked_.resize(all);
  residents_.resize(all);
  marked_.back() = 1;  // never looked at
  order_.resize(capacities.size());
  std::iota(order_.begin(), order_.end(), 0U);
  position_.resize(all);
  std::iota(position_.begin(), position_.end(), 0U);
  marks_.resize(all / 64 + 1);
}

std::uint32_t FairLevels::take_number() {
  if (!free_.empty()) {
    const std::uint32_t flow = free_.back();
    free_.pop_back();
    return flow;
  }
  homes_.emplace_back();
  paths_.resize(paths_.size() + stride_ + 1);
  return static_cast<std::uint32_t>(homes_.size() - 1);
}

std::uint32_t FairLevels::add(std::span<const std::uint32_t> path) {
  HEDDLE_CHECK(!path.empty() && path.size() <= stride_ + 1, "a path longer than announced");
  const std::uint32_t flow = take_number();
  const auto nobody = static_cast<std::uint32_t>(order_.size());
  std::uint32_t first = path.front();
  std::uint32_t* const own = paths_.data() + flow * (stride_ + 1);
  std::fill_n(own, stride_ + 1, nobody);
  std::copy(path.begin(), path.end(), own);
  for (const std::uint32_t r : path) {
    ++users_[r];
    mark(r);
    if (position_[r] < position_[first]) first = r;
  }
  settle(flow, first);
  return flow;
}

void FairLevels::remove(std::uint32_t flow) {
  HEDDLE_CHECK(homes_[flow].resource != kNowhere, "a flow is removed twice");
  unsettle(flow);
  homes_[flow].resource = kNowhere;
  const std::uint32_t* const path = paths_.data() + flow * (stride_ + 1);
  for (std::size_t i = 0; i <= stride_; ++i) {
    --users_[path[i]];
    mark(path[i]);
  }
  free_.push_back(flow);
}

void FairLevels::mark(std::uint32_t resource) {
  if (marked_[resource] != 0) return;
  marked_[resource] = 1;
  ++marked_count_;
  marks_[position_[resource] / 64] |= bit(position_[resource]);
}

void FairLevels::unmark(std::uint32_t resource) {
  marked_[resource] = 0;
  --marked_count_;
  marks_[position_[resource] / 64] &= ~bit(position_[resource]);
}

void FairLevels::place(std::uint32_t resource, std::size_t position) {
  order_[position] = resource;
  position_[resource] = static_cast<std::uint32_t>(position);
  marks_[position / 64] &= ~bit(position);
  if (marked_[resource] != 0) marks_[position / 64] |= bit(position);
}

/// Makes `resource`, which is on its path, the flow's home.
void FairLevels::settle(std::uint32_t flow, std::uint32_t resource) {
  Residents& here = residents_[resource];
  homes_[flow] = {resource, static_cast<std::uint32_t>(here.flows.size())};
  here.flows.push_back(flow);
  const std::uint32_t* const path = paths_.data() + flow * (stride_ + 1);
  std::size_t own = 0;
  for (std::size_t i = 0; i <= stride_; ++i) {
    if (path[i] == resource) {
      ++own;
      continue;
    }
    here.others.push_back(path[i]);
    elsewhere_[path[i]] += passed_[resource];
    mark(path[i]);
  }
  here.others.resize(here.flows.size() * stride_, static_cast<std::uint32_t>(order_.size()));
  weight_[resource] += static_cast<std::int64_t>(own);
  mark(resource);
  moved_.push_back(flow);
}

void FairLevels::unsettle(std::uint32_t flow) {
  const Home home = homes_[flow];
  Residents& here = residents_[home.resource];
  const std::uint32_t* const path = paths_.data() + flow * (stride_ + 1);
  for (std::size_t i = 0; i <= stride_; ++i) {
    if (path[i] == home.resource) {
      --weight_[home.resource];
    } else {
      elsewhere_[path[i]] -= passed_[home.resource];
    }
    mark(path[i]);
  }
  const std::uint32_t last = here.flows.back();
  here.flows[home.place] = last;
  homes_[last].place = home.place;
  here.flows.pop_back();
  const auto tail = static_cast<std::ptrdiff_t>(here.others.size() - stride_);
  std::copy_n(here.others.begin() + tail, stride_,
              here.others.begin() + static_cast<std::ptrdiff_t>(home.place * stride_));
  here.others.resize(static_cast<std::size_t>(tail));
}

/// Finds new homes for flows of `from` that use what comes before it now.
void FairLevels::move_out(std::uint32_t from) {
  const Residents& here = residents_[from];
  for (std::size_t place = here.flows.size(); place-- > 0;) {  // what fills a gap was looked at
    std::uint32_t home = from;
    for (std::size_t i = place * stride_; i < (place + 1) * stride_; ++i) {
      if (position_[here.others[i]] < position_[home]) home = here.others[i];
    }
    if (home == from) continue;
    const std::uint32_t flow = here.flows[place];
    unsettle(flow);
    settle(flow, home);
  }
}

void FairLevels::note_level(std::uint32_t resource, std::int64_t level) {
  if (level == levels_[resource]) return;
  levels_[resource] = level;
  changed_.push_back(resource);
}

/// Tells all resources that flows at home at `resource` use about their new rate.
void FairLevels::pass_on(std::uint32_t resource, std::int64_t level) {
  note_level(resource, level);
  const std::int64_t passed = weight_[resource] > 0 ? level : 0;
  const std::int64_t more = passed - passed_[resource];
  if (more == 0) return;
  passed_[resource] = passed;
  std::int64_t* const elsewhere = elsewhere_.data();  // the loop that all time goes to
  const std::uint8_t* const marked = marked_.data();
  const std::vector<std::uint32_t>& others = residents_[resource].others;
  if (marked_count_ == order_.size() - position_[resource] - 1) {  // all that follow are
#pragma GCC unroll 8
    for (const std::uint32_t other : others) elsewhere[other] += more;
    return;
  }
#pragma GCC unroll 4
  for (const std::uint32_t other : others) {
    elsewhere[other] += more;
    if (marked[other] == 0) mark(other);
  }
}

std::int64_t FairLevels::count_shared(std::uint32_t resident_of, std::uint32_t user_of) const {
  std::uint32_t count = 0;  // as narrow as the numbers: many are compared at once
  for (const std::uint32_t other : residents_[resident_of].others) count += other == user_of;
  return count;
}

/// Could it be full at a level below `level` while the flows at that level still run?
bool FairLevels::may_tie(const Filling& now, std::int64_t level) const {
  std::size_t position = now.position;
  while (position > 0 && levels_[order_[position - 1]] >= level) --position;
  if (position == 0) return false;
  return now.left - now.weight * levels_[order_[position - 1]] < now.users;
}

/// The lowest level at which the resource is full while the flows at that level still run: what
/// they leave over by rounding is not shared out again. Without such a level: kUnlimited.
std::int64_t FairLevels::full_level(std::uint32_t resource, Filling now) const {
  std::int64_t level = now.weight > 0 ? now.left / now.weight : kUnlimited;
  while (may_tie(now, level)) {
    const std::uint32_t before = order_[--now.position];
    std::int64_t shared = 0;
    if (levels_[before] == levels_[order_.front()]) {  // then so are all before
      shared = now.users - now.weight;
      now.position = 0;
    } else {
      shared = count_shared(before, resource);
    }
    if (shared == 0) continue;
    now.left += shared * levels_[before];
    now.weight += shared;
    if (now.left / now.weight <= levels_[before]) level = now.left / now.weight;
  }
  return level;
}

std::int64_t FairLevels::level_at(std::size_t position) const {
  const std::uint32_t resource = order_[position];
  const Filling now{capacity_[resource] - elsewhere_[resource], weight_[resource], users_[resource],
                    position};
  const std::int64_t level = full_level(resource, now);
  if (level != kUnlimited || position == 0) return level;
  // Nobody's home, hence free to stay: where a new flow would put it.
  return std::max(now.left, levels_[order_[position - 1]]);
}

/// Lets the resource at `position` change places with the one before it.
void FairLevels::step_back(std::size_t position) {
  const std::uint32_t resource = order_[position];
  const std::uint32_t before = order_[position - 1];
  place(before, position);
  place(resource, position - 1);
  if (count_shared(before, resource) > 0) move_out(before);
}

/// Puts the resource at `position`, at `level` now, behind all that are at lower ones.
void FairLevels::move_on(std::size_t position, std::int64_t level) {
  constexpr std::size_t kFew = 8;  // to be asked for one by one
  const std::uint32_t resource = order_[position];
  const std::size_t before = position;
  bool shares = false;
  while (position + 1 < order_.size() && levels_[order_[position + 1]] < level) {
    const std::uint32_t passed = order_[position + 1];
    shares = shares || position - before >= kFew || count_shared(resource, passed) > 0;
    place(passed, position);
    ++position;
  }
  place(resource, position);
  if (shares) move_out(resource);
}

std::size_t FairLevels::next_marked(std::size_t position) const {
  std::size_t word = position / 64;
  std::uint64_t bits = marks_[word] & (~std::uint64_t{0} << position % 64);
  while (bits == 0 && ++word < marks_.size()) bits = marks_[word];
  if (word >= marks_.size()) return order_.size();
  return word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
}

/// Returns where to go on.
std::size_t FairLevels::visit(std::size_t position) {
  const std::uint32_t resource = order_[position];
  const std::int64_t level = level_at(position);
  if (position > 0 && level < levels_[order_[position - 1]]) {
    step_back(position);
    return position - 1;
  }
  if (position + 1 < order_.size() && levels_[order_[position + 1]] < level) {
    note_level(resource, level);
    move_on(position, level);
    return position;
  }
  unmark(resource);
  pass_on(resource, level);
  return position + 1;
}

void FairLevels::forget_changes() {
  changed_.clear();
  moved_.clear();
}

void FairLevels::solve() {
  for (std::size_t at = next_marked(0); at < order_.size(); at = next_marked(at)) at = visit(at);
}

}  // namespace heddle::engine
