#include "gui/models/lane_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::gui {
namespace {

using testing::ElementsAre;

std::vector<Lane> lanes(const std::vector<std::string>& names) {
  std::vector<Lane> out;
  for (const std::string& name : names) out.push_back({"ranks", name, 0, {}});
  return out;
}

TEST(LaneOrder, PinnedOnesStandFirst) {
  LaneOrder order;
  order.set_lanes(lanes({"host", "compute", "gather", "reduce"}));
  EXPECT_THAT(order.shown(), ElementsAre(0, 1, 2, 3));
  order.toggle_pin(2);
  EXPECT_THAT(order.shown(), ElementsAre(2, 0, 1, 3));
  EXPECT_TRUE(order.is_pinned(0));
  order.toggle_pin(0);
  EXPECT_THAT(order.shown(), ElementsAre(0, 1, 2, 3));
}

TEST(LaneOrder, HiddenOnesComeBackWhereTheyWere) {
  LaneOrder order;
  order.set_lanes(lanes({"host", "compute", "gather", "reduce"}));
  order.hide(1);
  order.hide(1);
  EXPECT_THAT(order.shown(), ElementsAre(0, 3));
  EXPECT_EQ(order.hidden(), 2U);
  order.show_all();
  EXPECT_THAT(order.shown(), ElementsAre(0, 1, 2, 3));
}

TEST(LaneOrder, MovesWithinItsKind) {
  LaneOrder order;
  order.set_lanes(lanes({"host", "compute", "gather", "reduce"}));
  order.move(0, 2);
  EXPECT_THAT(order.shown(), ElementsAre(1, 2, 0, 3));
  order.move(3, 1);
  EXPECT_THAT(order.shown(), ElementsAre(1, 3, 2, 0));
  order.toggle_pin(0);
  order.move(0, 3);  // a pinned one does not leave the top
  EXPECT_THAT(order.shown(), ElementsAre(1, 3, 2, 0));
}

TEST(LaneOrder, NewOnesStandBehindTheirNeighbour) {
  LaneOrder order;
  order.set_lanes(lanes({"host", "compute", "reduce"}));
  order.set_lanes(lanes({"host", "compute", "gather", "reduce"}));
  EXPECT_THAT(order.shown(), ElementsAre(0, 1, 2, 3));
}

/// DDP has no gather stream: what was chosen holds for the lanes that are there, and again later.
TEST(LaneOrder, OutlivesACaseWithOtherLanes) {
  LaneOrder order;
  order.set_lanes(lanes({"host", "compute", "gather", "reduce"}));
  order.toggle_pin(3);
  order.hide(1);  // the host
  order.set_lanes(lanes({"host", "compute", "reduce"}));
  EXPECT_THAT(order.shown(), ElementsAre(2, 1));
  order.set_lanes(lanes({"host", "compute", "gather", "reduce"}));
  EXPECT_THAT(order.shown(), ElementsAre(3, 1, 2));
}

}  // namespace
}  // namespace heddle::gui
