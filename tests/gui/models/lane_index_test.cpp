#include "gui/models/lane_index.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "gui/models/lane_times.h"
#include "sim/base/rng.h"

namespace heddle::gui {
namespace {

/// Boxes of 1 to 40 ps with gaps of 0 to 30 ps.
std::vector<LaneBox> random_boxes(Rng& rng, int count) {
  std::vector<LaneBox> out;
  std::int64_t t = 0;
  for (int i = 0; i < count; ++i) {
    t += rng.uniform_int(0, 30);
    const std::int64_t end = t + rng.uniform_int(1, 40);
    const auto paint = static_cast<Paint>(rng.uniform_int(0, kPaintCount - 1));
    out.push_back({t, end, static_cast<std::uint32_t>(i), paint});
    t = end;
  }
  return out;
}

PaintTimes busy_by_hand(const std::vector<LaneBox>& boxes, std::int64_t begin, std::int64_t end) {
  PaintTimes out{};
  for (const LaneBox& box : boxes) {
    const std::int64_t common = std::min(end, box.end) - std::max(begin, box.start);
    if (common > 0) out[static_cast<std::size_t>(box.paint)] += common;
  }
  return out;
}

TEST(LaneIndex, BusyTimeEqualsASumOverAllBoxes) {
  Rng rng(11);
  for (const int count : {0, 1, 2, 31, 32, 33, 64, 65, 500}) {
    const std::vector<LaneBox> boxes = random_boxes(rng, count);
    const LaneIndex lane(boxes);
    const std::int64_t last = boxes.empty() ? 10 : boxes.back().end;
    for (int i = 0; i < 200; ++i) {
      const std::int64_t begin = rng.uniform_int(-5, last);
      const std::int64_t end = begin + rng.uniform_int(1, last + 10);
      std::size_t from = lane.first_after(begin);
      EXPECT_EQ(lane.busy(begin, end, from), busy_by_hand(boxes, begin, end));
    }
  }
}

TEST(LaneIndex, WalkingFromStretchToStretchFindsTheSame) {
  Rng rng(12);
  const std::vector<LaneBox> boxes = random_boxes(rng, 700);
  const LaneIndex lane(boxes);
  std::size_t from = 0;
  for (std::int64_t begin = 0; begin < boxes.back().end;) {
    const std::int64_t end = begin + rng.uniform_int(1, 900);
    EXPECT_EQ(lane.busy(begin, end, from), busy_by_hand(boxes, begin, end));
    begin = end;
  }
}

TEST(LaneIndex, FindsTheBoxAtAMomentOrBesideIt) {
  const LaneIndex lane({{10, 20, 0, Paint::kForward}, {30, 31, 1, Paint::kLoss}});
  EXPECT_EQ(lane.at(10, 0)->op, 0U);
  EXPECT_EQ(lane.at(25, 0), nullptr);
  EXPECT_EQ(lane.at(26, 4)->op, 1U);
  EXPECT_EQ(lane.at(22, 4)->op, 0U);
  EXPECT_EQ(lane.at(100, 4), nullptr);
}

TEST(LaneIndex, WaitingIsNoWork) {
  const LaneIndex lane({{0, 10, 0, Paint::kWait}, {10, 14, 1, Paint::kForward}});
  EXPECT_EQ(busy_time(lane, {0, 20}), 4);
}

PaintColors greys() {
  PaintColors out{};
  for (std::size_t p = 0; p < kPaintCount; ++p)
    out[p] = 0xff101010U + 0x080808U * static_cast<std::uint32_t>(p);
  return out;
}

TEST(PaintRow, ABoxThatFillsAPixelHasItsOwnColour) {
  const LaneIndex lane({{0, 50, 0, Paint::kForward}, {50, 100, 1, Paint::kBackward}});
  std::vector<std::uint32_t> row(10);
  paint_row(lane, {0, 100}, greys(), 0xff000000, row);
  EXPECT_EQ(row[0], greys()[static_cast<std::size_t>(Paint::kForward)]);
  EXPECT_EQ(row[9], greys()[static_cast<std::size_t>(Paint::kBackward)]);
}

TEST(PaintRow, NothingDisappearsWhenTiny) {
  // One picosecond in a second, at every width.
  const LaneIndex lane({{777'777'777'777, 777'777'777'778, 0, Paint::kOptimizer}});
  for (const std::size_t width : {std::size_t{200}, std::size_t{1366}, std::size_t{4000}}) {
    std::vector<std::uint32_t> row(width);
    paint_row(lane, {0, 1e12}, greys(), 0xff000000, row);
    std::size_t seen = 0;
    for (const std::uint32_t pixel : row) seen += pixel != 0xff000000 ? 1 : 0;
    EXPECT_EQ(seen, 1U) << width;
    EXPECT_NE(row[static_cast<std::size_t>(0.777777777777 * static_cast<double>(width))],
              0xff000000);
  }
}

}  // namespace
}  // namespace heddle::gui
