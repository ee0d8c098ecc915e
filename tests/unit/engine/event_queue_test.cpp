#include "sim/engine/event_queue.h"

#include <gtest/gtest.h>

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

TEST(EventQueue, RefusesToPopFromNothing) {
  EventQueue queue;
  EXPECT_THROW(queue.pop(), InternalError);
}

}  // namespace
}  // namespace heddle::engine
