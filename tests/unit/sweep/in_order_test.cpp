#include "sim/sweep/in_order.h"

#include <gtest/gtest.h>

#include <chrono>
#include <numeric>
#include <stdexcept>
#include <thread>

namespace heddle::sweep {
namespace {

std::vector<std::size_t> counted(std::size_t begin, std::size_t end) {
  std::vector<std::size_t> numbers(end - begin);
  std::iota(numbers.begin(), numbers.end(), begin);
  return numbers;
}

TEST(InOrder, HandsOnInOrderHoweverManyThreads) {
  for (const int jobs : {1, 2, 7}) {
    std::vector<std::size_t> accepted;
    const std::atomic<bool> stop{false};
    run_in_order({3, 60, jobs,
                  [](std::size_t i) {  // the early ones take longest
                    std::this_thread::sleep_for(std::chrono::microseconds(600 / (i + 1)));
                    return std::vector<Row>{Row{i, {}}};
                  },
                  [&](std::size_t i, const std::vector<Row>& rows) {
                    EXPECT_EQ(rows.front().point, i);
                    accepted.push_back(i);
                  }},
                 stop);
    EXPECT_EQ(accepted, counted(3, 60)) << jobs;
  }
}

TEST(InOrder, LeavesNoGapWhenItIsStopped) {
  std::vector<std::size_t> accepted;
  std::atomic<bool> stop{false};
  run_in_order({0, 100'000, 3,
                [](std::size_t i) {
                  return std::vector<Row>{Row{i, {}}};
                },
                [&](std::size_t i, const std::vector<Row>&) {
                  accepted.push_back(i);
                  if (i == 5) stop = true;
                }},
               stop);
  EXPECT_GE(accepted.size(), 6U);
  EXPECT_LT(accepted.size(), 100'000U);
  EXPECT_EQ(accepted, counted(0, accepted.size()));
}

TEST(InOrder, PassesOnWhatIsThrown) {
  const std::atomic<bool> stop{false};
  const OrderedWork work{0, 10, 2,
                         [](std::size_t i) -> std::vector<Row> {
                           if (i == 4) throw std::runtime_error("four");
                           return {};
                         },
                         [](std::size_t, const std::vector<Row>&) {}};
  EXPECT_THROW(run_in_order(work, stop), std::runtime_error);
}

}  // namespace
}  // namespace heddle::sweep
