// What hands do to lanes: pin, hide, drag, click, search.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QAction>
#include <QDockWidget>
#include <QLineEdit>
#include <QTest>

#include "gui/models/byte_text.h"
#include "gui/models/case_view.h"
#include "gui/models/follow.h"
#include "gui/models/time_axis.h"
#include "gui/views/actions.h"
#include "gui/views/details_panel.h"
#include "gui/views/fact_list.h"
#include "gui/views/lanes_plot.h"
#include "gui/views/search_bar.h"
#include "gui/views/timeline_view.h"
#include "tests/gui/views/founding_window.h"

namespace heddle::gui {
namespace {

class Lanes : public testing::Test {
 protected:
  void SetUp() override {
    founding_.document.choose("across-quads/fsdp");
    founding_.window.show_tab("timeline");
    test::settle();
  }
  TimelineView& timeline() {
    for (QWidget* widget : founding_.window.findChildren<QWidget*>()) {
      if (auto* found = dynamic_cast<TimelineView*>(widget)) return *found;
    }
    std::abort();
  }
  LanesPlot& lanes() { return timeline().lanes(); }
  QPoint name_of(int row) { return {10, lanes().lane_rect(row).center().y()}; }
  /// In the middle of the gather that runs in the middle of what is visible.
  QPoint gather() {
    const auto view = founding_.document.view(founding_.document.chosen());
    const Span range = founding_.window.axis().range();
    for (int row = 0; row < lanes().lane_count(); ++row) {
      const Lane& lane = view->lanes()[lanes().order().shown()[static_cast<std::size_t>(row)]];
      if (lane.name != "gather") continue;
      const auto middle = static_cast<std::int64_t>((range.begin + range.end) / 2);
      const LaneBox& box = lane.index.boxes()[lane.index.first_after(middle)];
      const double x =
          lanes().x_of((static_cast<double>(box.start) + static_cast<double>(box.end)) / 2);
      return {static_cast<int>(x), lanes().lane_rect(row).center().y()};
    }
    return {};
  }

  test::FoundingWindow founding_{"mistral-7b-4xh200.json"};
};

TEST_F(Lanes, ArePinnedHiddenAndShownByKey) {
  ASSERT_EQ(lanes().lane_count(), 4);  // host, compute, gather, reduce
  QTest::mouseClick(&lanes(), Qt::LeftButton, {}, name_of(2));
  EXPECT_EQ(lanes().current_row(), 2);
  QTest::keyClick(&lanes(), Qt::Key_P);
  EXPECT_TRUE(lanes().order().is_pinned(0));
  QTest::keyClick(&lanes(), Qt::Key_H);
  EXPECT_EQ(lanes().lane_count(), 3);
  QTest::keyClick(&lanes(), Qt::Key_H, Qt::ShiftModifier);
  EXPECT_EQ(lanes().lane_count(), 4);
  for (int i = 0; i < 9; ++i) QTest::keyClick(&lanes(), Qt::Key_H);
  EXPECT_EQ(lanes().lane_count(), 1);  // the last one stays
}

TEST_F(Lanes, AreDraggedByTheirNames) {
  QTest::mousePress(&lanes(), Qt::LeftButton, {}, name_of(3));
  QTest::mouseMove(&lanes(), name_of(1));
  QTest::mouseRelease(&lanes(), Qt::LeftButton, {}, name_of(1));
  EXPECT_THAT(lanes().order().shown(), testing::ElementsAre(0, 3, 1, 2));
  EXPECT_FALSE(founding_.window.axis().selection().has_value());
}

TEST_F(Lanes, AClickFollowsACollective) {
  auto* details = founding_.window.findChild<QDockWidget*>("details_dock");
  details->show();
  test::settle();
  QTest::mouseClick(&lanes(), Qt::LeftButton, {}, gather());
  test::settle();
  std::string said;
  for (const Fact& fact : dynamic_cast<DetailsPanel*>(details->widget())->facts().facts()) {
    said += fact.name.toStdString() + " " + fact.value.toStdString() + "\n";
  }
  EXPECT_THAT(said, testing::HasSubstr("all-gather"));
  EXPECT_THAT(said, testing::HasSubstr("cpu0 -> cpu1"));
  QTest::keyClick(&lanes(), Qt::Key_Escape);
}

TEST_F(Lanes, SearchGoesFromOneToTheNext) {
  find_action(founding_.window, "find")->trigger();
  SearchBar& bar = timeline().search();
  EXPECT_TRUE(bar.isVisible());
  auto* text = bar.findChild<QLineEdit*>();
  QTest::keyClicks(text, "lm_head backward");
  QTest::keyClick(text, Qt::Key_Return);
  const auto first = founding_.window.axis().selection();
  ASSERT_TRUE(first.has_value());
  QTest::keyClick(text, Qt::Key_Return);
  const auto second = founding_.window.axis().selection();
  ASSERT_TRUE(second.has_value());
  EXPECT_GT(second->begin, first->begin);
  QTest::keyClick(&bar, Qt::Key_Return, Qt::ShiftModifier);
  EXPECT_EQ(founding_.window.axis().selection(), first);
  QTest::keyClick(&bar, Qt::Key_Escape);
  EXPECT_FALSE(bar.isVisible());
}

TEST_F(Lanes, SizesSwitchToGibAndBack) {
  find_action(founding_.window, "byte_unit")->trigger();
  EXPECT_EQ(byte_unit(), ByteUnit::kBinary);
  founding_.window.grab();
  find_action(founding_.window, "byte_unit")->trigger();
  EXPECT_EQ(byte_unit(), ByteUnit::kDecimal);
}

/// No tab asks for more room than the window has, at any of the usual sizes and scales of text.
TEST_F(Lanes, EveryTabFitsTheWindow) {
  for (const QString& tab : founding_.window.tab_names()) {
    founding_.window.show_tab(tab);
    for (const QSize size : {QSize(1024, 640), QSize(1366, 768), QSize(1920, 1080)}) {
      founding_.window.resize(size);
      test::settle();
      EXPECT_EQ(founding_.window.size(), size) << tab.toStdString();
    }
  }
}

}  // namespace
}  // namespace heddle::gui
