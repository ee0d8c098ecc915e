#include "sim/engine/max_min_solver.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "sim/base/units.h"

namespace heddle::engine {
namespace {

constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

std::int64_t level_of(Int128 residual, std::int64_t weight) {
  const Int128 level = residual / weight;
  return level > kUnlimited ? kUnlimited : static_cast<std::int64_t>(level);
}

}  // namespace

void MaxMinSolver::clear() {
  resources_.clear();
  activities_.clear();
  uses_.clear();
}

std::uint32_t MaxMinSolver::add_resource(std::int64_t capacity) {
  resources_.push_back({static_cast<Int128>(capacity) * kPpb});
  return static_cast<std::uint32_t>(resources_.size() - 1);
}

std::uint32_t MaxMinSolver::add_activity(std::int64_t cap) {
  activities_.push_back({cap, static_cast<std::uint32_t>(uses_.size())});
  return static_cast<std::uint32_t>(activities_.size() - 1);
}

void MaxMinSolver::add_use(std::uint32_t resource, std::int64_t weight_ppb) {
  uses_.push_back({resource, weight_ppb});
  ++activities_.back().use_count;
  resources_[resource].weight += weight_ppb;
  ++resources_[resource].user_count;
}

void MaxMinSolver::list_users() {
  std::uint32_t begin = 0;
  for (Resource& r : resources_) {
    r.users_begin = begin;
    begin += r.user_count;
    r.user_count = 0;
  }
  users_.resize(begin);
  for (std::uint32_t a = 0; a < activities_.size(); ++a) {
    for (std::uint32_t u = 0; u < activities_[a].use_count; ++u) {
      Resource& r = resources_[uses_[activities_[a].uses_begin + u].resource];
      users_[r.users_begin + r.user_count++] = a;
    }
  }
}

void MaxMinSolver::push_level(std::uint32_t resource) {
  const Resource& r = resources_[resource];
  if (r.weight == 0) return;
  heap_.push_back({level_of(r.residual, r.weight), resource});
  std::push_heap(heap_.begin(), heap_.end(), later);
}

/// Looks at the top of the heap: renews its key if that has risen, else lowers `level` to it.
void MaxMinSolver::pop_full(std::int64_t& level) {
  std::pop_heap(heap_.begin(), heap_.end(), later);
  const Level top = heap_.back();
  heap_.pop_back();
  const Resource& r = resources_[top.resource];
  if (r.weight == 0) return;
  if (level_of(r.residual, r.weight) > top.level) {
    push_level(top.resource);
    return;
  }
  level = top.level;
  full_.push_back(top.resource);
}

std::int64_t MaxMinSolver::next_level() {
  full_.clear();
  std::int64_t level = activities_[by_cap_[next_cap_]].cap;
  while (!heap_.empty() && heap_.front().level <= level) pop_full(level);
  return level;
}

void MaxMinSolver::stop(std::uint32_t activity, std::int64_t level) {
  Activity& a = activities_[activity];
  if (a.stopped) return;
  a.stopped = true;
  rates_[activity] = level;
  for (std::uint32_t u = 0; u < a.use_count; ++u) {
    const Use& use = uses_[a.uses_begin + u];
    resources_[use.resource].residual -= static_cast<Int128>(use.weight) * level;
    resources_[use.resource].weight -= use.weight;
  }
}

void MaxMinSolver::start_filling() {
  list_users();
  rates_.assign(activities_.size(), 0);
  by_cap_.resize(activities_.size());
  std::iota(by_cap_.begin(), by_cap_.end(), 0U);
  std::sort(by_cap_.begin(), by_cap_.end(), [this](std::uint32_t a, std::uint32_t b) {
    return activities_[a].cap < activities_[b].cap;
  });
  next_cap_ = 0;
  heap_.clear();
  for (std::uint32_t r = 0; r < resources_.size(); ++r) push_level(r);
}

bool MaxMinSolver::any_running() {
  while (next_cap_ < by_cap_.size() && activities_[by_cap_[next_cap_]].stopped) ++next_cap_;
  return next_cap_ < by_cap_.size();
}

std::span<const std::int64_t> MaxMinSolver::solve() {
  start_filling();
  while (any_running()) {
    const std::int64_t level = next_level();
    for (std::size_t i = next_cap_; i < by_cap_.size(); ++i) {
      if (activities_[by_cap_[i]].cap > level) break;
      stop(by_cap_[i], level);
    }
    for (const std::uint32_t resource : full_) {
      const Resource& r = resources_[resource];
      for (std::uint32_t u = 0; u < r.user_count; ++u) stop(users_[r.users_begin + u], level);
    }
  }
  return rates_;
}

}  // namespace heddle::engine
