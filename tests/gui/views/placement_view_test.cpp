#include "gui/views/placement_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QPushButton>
#include <QTableView>
#include <QTest>

#include "gui/models/place_rows.h"
#include "gui/models/placements.h"
#include "gui/views/fabric_view.h"
#include "tests/gui/views/founding_window.h"

namespace heddle::gui {
namespace {

class PlacementTab : public testing::Test {
 protected:
  void SetUp() override {
    founding_.window.show_tab("placement");
    view().start();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !view().placements().is_running(); }, 60'000));
    test::settle();
  }
  PlacementView& view() { return *founding_.window.findChild<PlacementView*>(); }
  void press(const QString& text) {
    for (QPushButton* button : view().findChildren<QPushButton*>()) {
      if (button->text() == text) return button->click();
    }
    FAIL() << text.toStdString();
  }

  test::FoundingWindow founding_{"mistral-7b-4xh200.json"};
};

TEST_F(PlacementTab, CopiesTheLineOfTheChosenPlacement) {
  EXPECT_EQ(view().use_line().toStdString(), "CUDA_VISIBLE_DEVICES=0,1,2,3");
  view().list().selectRow(view().rows().rowCount() - 1);
  press("Copy line");
  EXPECT_EQ(QApplication::clipboard()->text().toStdString(), "CUDA_VISIBLE_DEVICES=0,1,4,5");
}

TEST_F(PlacementTab, ComparesWithAPinnedOne) {
  press("Compare as A");
  EXPECT_EQ(view().rows().pinned(), 0);
  view().list().selectRow(1);
  test::settle();
  view().list().selectRow(0);
  press("Let go of A");
  EXPECT_FALSE(view().rows().pinned().has_value());
}

TEST_F(PlacementTab, LaysItOnTheFabric) {
  const int last = view().rows().rowCount() - 1;  // across the quads
  view().list().selectRow(last);
  press("Lay on the fabric");
  ASSERT_TRUE(test::wait_for_run(founding_.document));
  EXPECT_TRUE(founding_.window.findChild<FabricView*>()->isVisible());
  ASSERT_NE(founding_.document.history().find("fabrics.1.gpus"), nullptr);
  EXPECT_EQ(*founding_.document.history().find("fabrics.1.gpus"), "[0, 1, 4, 5]");
}

TEST_F(PlacementTab, NothingIsWiderThanTheWindow) {
  for (const QSize size : {QSize(1024, 640), QSize(1366, 768), QSize(1920, 1080)}) {
    founding_.window.resize(size);
    test::settle();
    EXPECT_EQ(founding_.window.size(), size);
  }
}

}  // namespace
}  // namespace heddle::gui
