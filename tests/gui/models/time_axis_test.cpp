#include "gui/models/time_axis.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gui/models/ticks.h"
#include "sim/base/rng.h"

namespace heddle::gui {
namespace {

TEST(TimeAxis, ZoomKeepsTheAnchorInPlace) {
  TimeAxis axis;
  axis.set_bounds({0, 1e12}, {0, 1e12});
  const double anchor = 3.7e11;
  const auto share = [&] { return (anchor - axis.range().begin) / axis.range().length(); };
  const double before = share();
  for (int i = 0; i < 40; ++i) axis.zoom(1.25, anchor);
  EXPECT_NEAR(share(), before, 1e-9);  // of the width: far below a pixel
  EXPECT_LT(axis.range().length(), 1e9);
}

TEST(TimeAxis, BackReturnsToTheExactRange) {
  TimeAxis axis;
  axis.set_bounds({0, 1e12}, {1e11, 2e11});
  const Span first = axis.range();
  axis.zoom(1.7, 1.3e11);
  const Span second = axis.range();
  axis.pan(0.3);
  axis.show_all();
  EXPECT_TRUE(axis.back());
  EXPECT_TRUE(axis.back());
  EXPECT_EQ(axis.range(), second);
  EXPECT_TRUE(axis.back());
  EXPECT_EQ(axis.range(), first);
  EXPECT_FALSE(axis.back());
}

TEST(TimeAxis, StaysInsideItsBoundsWhateverHappens) {
  TimeAxis axis;
  const Span bounds{-5e9, 9e11};
  axis.set_bounds(bounds, bounds);
  Rng rng(5);
  for (int i = 0; i < 500; ++i) {
    switch (rng.uniform_int(0, 3)) {
      case 0:
        axis.zoom(std::pow(2, rng.uniform() * 8 - 4),
                  bounds.begin + rng.uniform() * bounds.length());
        break;
      case 1:
        axis.pan(rng.uniform() * 4 - 2);
        break;
      case 2:
        axis.show({rng.uniform() * 2e12 - 1e12, rng.uniform() * 2e12 - 1e12});
        break;
      default:
        axis.back();
    }
    ASSERT_TRUE(std::isfinite(axis.range().begin) && std::isfinite(axis.range().end));
    ASSERT_GE(axis.range().begin, bounds.begin);
    ASSERT_LE(axis.range().end, bounds.end * (1 + 1e-12));
    ASSERT_GE(axis.range().length(), kShortestRange * (1 - 1e-6));
  }
}

TEST(Ticks, AreRoundAndAtMostAsManyAsAsked) {
  EXPECT_DOUBLE_EQ(tick_step(10, 5), 2);
  EXPECT_DOUBLE_EQ(tick_step(10, 10), 1);
  EXPECT_DOUBLE_EQ(tick_step(0.9, 4), 0.5);
  for (double length = 1e3; length < 1e13; length *= 1.37) {
    const Ticks ticks = time_ticks({12345.678 * length, 12346.678 * length}, 0, 7);
    EXPECT_LE(ticks.at.size(), 8U);
    EXPECT_GE(ticks.at.size(), 2U);
  }
}

TEST(Ticks, CountFromTheOriginInOneUnit) {
  const Ticks ticks = time_ticks({-1e9, 3e9}, 0, 4);
  EXPECT_EQ(ticks.unit, "ms");
  ASSERT_EQ(ticks.at.size(), 5U);
  EXPECT_EQ(ticks.at.front().text, "-1");
  EXPECT_EQ(ticks.at[1].text, "0");
  EXPECT_DOUBLE_EQ(ticks.at.back().value, 3e9);
}

}  // namespace
}  // namespace heddle::gui
