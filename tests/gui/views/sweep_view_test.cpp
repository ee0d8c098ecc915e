#include "gui/views/sweep_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QPushButton>
#include <QTest>

#include "gui/models/sweep.h"
#include "gui/views/curves_plot.h"
#include "gui/views/heat_map.h"
#include "tests/gui/views/founding_window.h"

namespace heddle::gui {
namespace {

using testing::HasSubstr;

class SweepTab : public testing::Test {
 protected:
  void SetUp() override { founding_.window.show_tab("sweep"); }
  void run(const QString& along, const QString& down) {
    view().start(along, down);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !view().sweep().is_running(); }, 60'000));
    test::settle();
  }
  SweepView& view() { return *founding_.window.findChild<SweepView*>(); }

  test::FoundingWindow founding_{"mistral-7b-4xa100.json"};
};

TEST_F(SweepTab, AClickOnACellOpensIt) {
  run("training.sequence_length=512,1024,2048", "training.micro_batch=1,2");
  EXPECT_TRUE(view().heat_map().isVisible());
  ASSERT_TRUE(view().show_case("a100/fsdp"));
  // Point 4: micro_batch 2, sequence_length 1024; larger is higher up.
  EXPECT_LT(view().heat_map().cell_rect(4).top(), view().heat_map().cell_rect(1).top());
  EXPECT_EQ(view().heat_map().point_at(view().heat_map().cell_rect(4).center()), 4U);
  EXPECT_THAT(view().heat_map().words(4).toStdString(),
              HasSubstr("training.micro_batch = 2, training.sequence_length = 1024\nstep time "));
  QTest::mouseClick(&view().heat_map(), Qt::LeftButton, {},
                    view().heat_map().cell_rect(4).center().toPoint());
  ASSERT_TRUE(test::wait_for_run(founding_.document));
  EXPECT_EQ(founding_.document.results()->study.scenario().batch.micro_batch, 2);
  EXPECT_EQ(founding_.document.results()->cases[founding_.document.chosen()].case_id, "a100/fsdp");
}

TEST_F(SweepTab, KeysReachEveryCell) {
  run("training.sequence_length=512,1024", "training.micro_batch=1,2");
  HeatMap& map = view().heat_map();
  std::optional<std::size_t> opened;
  QObject::connect(&map, &HeatMap::opened, &map, [&](std::size_t point) { opened = point; });
  for (const auto key : {Qt::Key_Right, Qt::Key_Right, Qt::Key_Up, Qt::Key_Left, Qt::Key_Return}) {
    QTest::keyClick(&map, key);
  }
  EXPECT_EQ(opened, 2U);
}

TEST_F(SweepTab, OneSettingIsCurves) {
  run("training.sequence_length=512,1024,2048", "");
  EXPECT_TRUE(view().curves().isVisible());
  EXPECT_TRUE(view().show_figure("needed"));
  EXPECT_FALSE(view().show_figure("no such figure"));
  const double apart = view().curves().x_of(1) - view().curves().x_of(0);
  EXPECT_DOUBLE_EQ(view().curves().x_of(2) - view().curves().x_of(1), apart);
  EXPECT_LT(view().curves().y_of(2e9), view().curves().y_of(1e9));
}

TEST_F(SweepTab, LabelsDoNotMeetAndNothingIsWiderThanTheWindow) {
  run("training.sequence_length=128:2560:20", "training.micro_batch=1,2");
  for (const QSize size : {QSize(1024, 640), QSize(1366, 768), QSize(1920, 1080)}) {
    founding_.window.resize(size);
    test::settle();
    EXPECT_EQ(founding_.window.size(), size);
    const auto boxes = view().heat_map().label_boxes();
    EXPECT_GE(boxes.size(), 4U);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      EXPECT_GE(boxes[i].left(), 0);
      EXPECT_LE(boxes[i].right(), view().heat_map().width());
      for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(boxes[i].intersects(boxes[j]));
    }
  }
}

TEST_F(SweepTab, CopiesItsCommand) {
  run("training.micro_batch=1,2", "");
  for (QPushButton* button : view().findChildren<QPushButton*>()) {
    if (button->text() == "Copy as command") button->click();
  }
  EXPECT_EQ(QApplication::clipboard()->text().toStdString(), view().sweep().command_line());
}

}  // namespace
}  // namespace heddle::gui
