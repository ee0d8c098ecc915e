#include "tests/support/result_compare.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle::test {
namespace {

using engine::Interval;
using engine::MemorySample;
using engine::StepAccounting;

std::vector<Interval> by_op(std::vector<Interval> intervals) {
  std::sort(intervals.begin(), intervals.end(),
            [](const Interval& a, const Interval& b) { return a.op < b.op; });
  return intervals;
}

void expect_same_step(const StepAccounting& a, const StepAccounting& b, Duration shift) {
  EXPECT_EQ(a.begin + shift, b.begin);
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.compute, b.compute);
  EXPECT_EQ(a.exposed_comm, b.exposed_comm);
  EXPECT_EQ(a.exposed.size(), b.exposed.size());
  EXPECT_EQ(a.host, b.host);
  EXPECT_EQ(a.other, b.other);
}

void expect_same_samples(const std::vector<MemorySample>& a, const std::vector<MemorySample>& b,
                         Duration shift) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].time + shift, b[i].time);
    EXPECT_EQ(a[i].by_category, b[i].by_category);
  }
}

}  // namespace

SimTime last_end(const engine::RunResult& result) {
  SimTime last;
  for (const engine::RankResult& rank : result.ranks) {
    for (const Interval& i : rank.intervals) last = std::max(last, i.end);
  }
  return last;
}

void expect_same(const engine::RankResult& a, const engine::RankResult& b, Duration shift,
                 std::uint32_t op_shift) {
  const std::vector<Interval> left = by_op(a.intervals);
  const std::vector<Interval> right = by_op(b.intervals);
  ASSERT_EQ(left.size(), right.size());
  for (std::size_t i = 0; i < left.size(); ++i) {
    EXPECT_EQ(left[i].op + op_shift, right[i].op);
    EXPECT_EQ(left[i].start + shift, right[i].start);
    EXPECT_EQ(left[i].end + shift, right[i].end);
  }
  ASSERT_EQ(a.marks.size(), b.marks.size());
  for (std::size_t i = 0; i < a.marks.size(); ++i) EXPECT_EQ(a.marks[i] + shift, b.marks[i]);
  ASSERT_EQ(a.steps.size(), b.steps.size());
  for (std::size_t i = 0; i < a.steps.size(); ++i) expect_same_step(a.steps[i], b.steps[i], shift);
  expect_same_samples(a.memory, b.memory, shift);
  expect_same_samples(a.step_peaks, b.step_peaks, shift);
  expect_same_samples(a.after_optimizer, b.after_optimizer, shift);
}

}  // namespace heddle::test
