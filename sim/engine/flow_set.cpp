#include "sim/engine/flow_set.h"

#include <algorithm>

#include "sim/base/check.h"

namespace heddle::engine {
namespace {

/// Both positive. The usual case needs no 128-bit division.
std::int64_t divide_up(Int128 amount, std::int64_t rate) {
  const auto low = static_cast<std::int64_t>(amount);
  if (low == amount) return (low - 1) / rate + 1;
  const Int128 whole = (amount - 1) / rate + 1;
  HEDDLE_CHECK(whole < kPicosPerSecond * 9'000'000, "a transfer would take more than 100 days");
  return static_cast<std::int64_t>(whole);
}

}  // namespace

std::uint32_t FlowSet::add(Bytes payload, std::span<const std::uint32_t> path) {
  HEDDLE_CHECK(payload.value > 0, "nothing to move");
  const std::uint32_t flow = levels_.add(path);
  flows_.resize(std::max<std::size_t>(flows_.size(), flow + std::size_t{1}));
  flows_[flow] = {static_cast<Int128>(payload.value) * kPicosPerSecond, FairLevels::kNowhere};
  return flow;
}

void FlowSet::catch_up(Clock& clock) const {
  clock.served += static_cast<Int128>(clock.level) * (now_ - clock.since).ps;
  clock.since = now_;
}

/// Puts what the flow has left on the clock of its home.
void FlowSet::move_in(std::uint32_t flow) {
  Flow& f = flows_[flow];
  const std::uint32_t home = levels_.home(flow);
  if (home == f.home || home == FairLevels::kNowhere) return;
  if (f.home != FairLevels::kNowhere) {
    catch_up(clocks_[f.home]);
    clocks_[f.home].untidy = true;
    f.end -= clocks_[f.home].served;
    plan_later(f.home);
  }
  Clock& clock = clocks_[home];
  catch_up(clock);
  f.end += clock.served;
  f.home = home;
  clock.heap.push_back({f.end, flow});
  std::push_heap(clock.heap.begin(), clock.heap.end(), later);
  plan_later(home);
}

bool FlowSet::current(std::uint32_t resource, const End& end) const {
  return flows_[end.flow].home == resource && flows_[end.flow].end == end.served;
}

void FlowSet::plan_later(std::uint32_t resource) {
  if (clocks_[resource].stale) return;
  clocks_[resource].stale = true;
  to_plan_.push_back(resource);
}

/// Rids the heap of ends that are not true any more: of its top at least, of all if they are many.
void FlowSet::tidy(std::uint32_t resource) {
  if (!clocks_[resource].untidy) return;
  clocks_[resource].untidy = false;
  std::vector<End>& heap = clocks_[resource].heap;
  if (heap.size() > 2 * levels_.residents(resource).size() + kBlock) {
    std::erase_if(heap, [&](const End& end) { return !current(resource, end); });
    std::make_heap(heap.begin(), heap.end(), later);
  }
  while (!heap.empty() && !current(resource, heap.front())) {
    std::pop_heap(heap.begin(), heap.end(), later);
    heap.pop_back();
  }
}

void FlowSet::plan(std::uint32_t resource) {
  Clock& clock = clocks_[resource];
  clock.stale = false;
  catch_up(clock);
  clock.level = levels_.level(resource);
  tidy(resource);
  stale_blocks_[resource / kBlock] = 1;
  ends_[resource] = kNever;
  if (clock.heap.empty()) return;
  const Int128 left = clock.heap.front().served - clock.served;
  ends_[resource] = now_.ps + (left <= 0 ? 0 : divide_up(left, clock.level));
}

void FlowSet::solve() {
  levels_.solve();
  for (const std::uint32_t flow : levels_.moved()) move_in(flow);
  for (const std::uint32_t resource : levels_.changed()) plan_later(resource);
  levels_.forget_changes();
  for (const std::uint32_t resource : to_plan_) plan(resource);
  to_plan_.clear();
}

std::int64_t FlowSet::next_end() {
  for (std::size_t block = 0; block < block_ends_.size(); ++block) {
    if (stale_blocks_[block] == 0) continue;
    stale_blocks_[block] = 0;
    const auto begin = ends_.begin() + static_cast<std::ptrdiff_t>(block * kBlock);
    const auto size = std::min(kBlock, ends_.size() - block * kBlock);
    block_ends_[block] = *std::min_element(begin, begin + static_cast<std::ptrdiff_t>(size));
  }
  return *std::min_element(block_ends_.begin(), block_ends_.end());
}

/// All that end at `resource` now.
void FlowSet::take_ended(std::uint32_t resource) {
  Clock& clock = clocks_[resource];
  catch_up(clock);
  for (tidy(resource); !clock.heap.empty(); tidy(resource)) {
    if (clock.heap.front().served > clock.served) break;
    const std::uint32_t flow = clock.heap.front().flow;
    levels_.remove(flow);
    flows_[flow].home = FairLevels::kNowhere;
    ended_.push_back(flow);
    clock.untidy = true;
  }
  plan_later(resource);
}

std::span<const std::uint32_t> FlowSet::run_to_next_end() {
  ended_.clear();
  solve();
  const std::int64_t next = next_end();
  if (next == kNever) return {};
  now_.ps = next;
  for (std::size_t block = 0; block < block_ends_.size(); ++block) {
    if (block_ends_[block] > next) continue;
    const std::size_t end = std::min(ends_.size(), (block + 1) * kBlock);
    for (std::size_t r = block * kBlock; r < end; ++r) {
      if (ends_[r] == next) take_ended(static_cast<std::uint32_t>(r));
    }
  }
  return ended_;
}

}  // namespace heddle::engine
