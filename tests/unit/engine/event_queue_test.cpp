#include "sim/engine/event_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/base/check.h"
#include "sim/base/rng.h"

namespace heddle::engine {
namespace {

TEST(EventQueue, OrdersByTimeThenPhaseThenSequence) {
  EventQueue queue;
  queue.push({5}, EventPhase::kReshare, 1);
  queue.push({5}, EventPhase::kOpFinish, 2);
  queue.push({9}, EventPhase::kOpFinish, 3);
  queue.push({5}, EventPhase::kTransferStart, 4);
  queue.push({5}, EventPhase::kOpFinish, 5);
  queue.push({2}, EventPhase::kReshare, 6);
  queue.push({5}, EventPhase::kTransferFinish, 7);
  std::vector<std::uint32_t> order;
  while (!queue.empty()) order.push_back(queue.pop().subject);
  EXPECT_EQ(order, (std::vector<std::uint32_t>{6, 2, 5, 7, 4, 1, 3}));
}

TEST(EventQueue, KeepsOrderUnderMixedPushAndPop) {
  EventQueue queue;
  Rng rng(7);
  std::int64_t now = 0;
  for (int i = 0; i < 5000; ++i) {
    queue.push({now + rng.uniform_int(0, 50)}, EventPhase::kOpFinish);
    if (rng.chance(0.5)) {
      const std::int64_t time = queue.pop().time.ps;
      ASSERT_GE(time, now);
      now = time;
    }
  }
}

/// Pushes and pops against a list that is searched for the first event each time.
void expect_plain_order(std::uint64_t seed, std::size_t most, std::int64_t reach) {
  Rng rng(seed);
  EventQueue queue;
  std::vector<std::pair<std::int64_t, std::uint32_t>> plain;  // subjects count up, as sequences do
  std::int64_t now = 0;
  for (std::uint32_t i = 0; i < 20 * most; ++i) {
    const bool grow = i / most % 2 == 0;  // fills up, drains, fills up again
    if (rng.chance(grow ? 0.8 : 0.2) && plain.size() < most) {
      const std::int64_t gap = rng.chance(0.02) ? reach * 1000 : reach;
      const std::int64_t time = now + (rng.chance(0.2) ? 0 : rng.uniform_int(0, gap));
      queue.push({time}, EventPhase::kOpFinish, i);
      plain.emplace_back(time, i);
    } else if (!plain.empty()) {
      const auto first = std::min_element(plain.begin(), plain.end());
      ASSERT_EQ(queue.next_time().ps, first->first);
      const Event event = queue.pop();
      ASSERT_EQ(event.subject, first->second);
      now = event.time.ps;
      plain.erase(first);
    }
    ASSERT_EQ(queue.empty(), plain.empty());
  }
}

TEST(EventQueue, ManyEventsComeOutAsFromAPlainList) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    for (const std::int64_t reach : {0, 7, 100'000, 1'000'000'000}) {
      expect_plain_order(seed, 500, reach);
    }
  }
}

TEST(EventQueue, RefusesToPopFromNothing) {
  EventQueue queue;
  EXPECT_THROW(queue.pop(), InternalError);
}

}  // namespace
}  // namespace heddle::engine
