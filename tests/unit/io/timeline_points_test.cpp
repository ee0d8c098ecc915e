#include "sim/io/timeline_points.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace heddle::io {
namespace {

std::vector<engine::MemorySample> curve(const std::vector<std::int64_t>& totals) {
  std::vector<engine::MemorySample> samples(totals.size());
  for (std::size_t i = 0; i < totals.size(); ++i) {
    samples[i].time.ps = static_cast<std::int64_t>(i);
    samples[i].by_category[0] = {totals[i]};
  }
  return samples;
}

std::vector<std::int64_t> totals_of(const std::vector<TimelinePoint>& points) {
  std::vector<std::int64_t> out;
  for (const TimelinePoint& p : points) out.push_back(p.total.value);
  return out;
}

TEST(TimelinePoints, ShortCurvesStayWhole) {
  EXPECT_TRUE(timeline_points({}, 4).empty());
  EXPECT_EQ(totals_of(timeline_points(curve({3, 1, 4, 1}), 4)),
            (std::vector<std::int64_t>{3, 1, 4, 1}));
}

// Two stretches: 5 1 9 2 keeps 1 and 9, 4 8 0 3 keeps 8 and 0, each in the order they came.
TEST(TimelinePoints, KeepsTheExtremesOfEachStretch) {
  EXPECT_EQ(totals_of(timeline_points(curve({5, 1, 9, 2, 4, 8, 0, 3}), 4)),
            (std::vector<std::int64_t>{1, 9, 8, 0}));
}

TEST(TimelinePoints, NeverLosesThePeakWhereverItIs) {
  for (std::size_t peak = 0; peak < 1000; ++peak) {
    std::vector<std::int64_t> totals(1000, 7);
    totals[peak] = 8;
    const auto points = timeline_points(curve(totals), 64);
    EXPECT_LE(points.size(), 64U);
    EXPECT_TRUE(std::any_of(points.begin(), points.end(), [&](const TimelinePoint& p) {
      return p.total.value == 8 && p.time.ps == static_cast<std::int64_t>(peak);
    })) << peak;
    EXPECT_TRUE(std::is_sorted(points.begin(), points.end(),
                               [](const auto& a, const auto& b) { return a.time < b.time; }));
  }
}

}  // namespace
}  // namespace heddle::io
