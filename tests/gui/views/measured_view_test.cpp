#include "gui/views/measured_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>

#include "gui/models/error_table.h"
#include "gui/models/measurement.h"
#include "gui/models/time_axis.h"
#include "gui/views/error_delegate.h"
#include "gui/views/error_list.h"
#include "gui/views/lanes_plot.h"
#include "gui/views/lead_plot.h"
#include "gui/views/measured_plots.h"
#include "gui/views/memory_overlay_plot.h"
#include "tests/gui/hand_made_report.h"
#include "tests/gui/views/founding_window.h"

namespace heddle::gui {
namespace {

using testing::HasSubstr;

class Measured : public testing::Test {
 protected:
  void open(const std::string& text) {
    QFile file(folder_.filePath("report.json"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(text.data(), static_cast<qint64>(text.size()));
    file.close();
    window_.open(file.fileName());
    test::settle();
  }
  MeasuredView& view() { return *window_.findChild<MeasuredView*>(); }
  MeasuredPlots& plots() { return view().plots(); }

  void SetUp() override {
    window_.resize(1366, 768);
    window_.show();
  }

  QTemporaryDir folder_;
  test::FoundingDocument founding_;
  MainWindow window_{founding_.document, {HEDDLE_SOURCE_DIR, ThemeKind::kDark, 1}};
};

TEST_F(Measured, AReportOpensWithoutAScenario) {
  EXPECT_THAT(view().notice().toStdString(), HasSubstr("Nothing measured yet"));
  open(test::hand_made_report({.stretch = 1.1}));
  EXPECT_TRUE(view().isVisible());
  EXPECT_EQ(view().notice(), "");
  EXPECT_EQ(plots().lanes().lane_count(), 2);
  EXPECT_GT(view().errors().table().rowCount(), 5);
}

/// One axis for all: the measured end is at one place in every plot, and so is the predicted one.
TEST_F(Measured, BothSidesShareTheAxis) {
  open(test::hand_made_report({.stretch = 1.1}));
  for (const double t : {40e9, 100e9, 110e9}) {
    EXPECT_EQ(plots().lanes().x_of(t), plots().lead().x_of(t));
    EXPECT_EQ(plots().lanes().x_of(t), plots().memory().x_of(t));
  }
  // The predicted lane ends at 110 ms, the measured one at 100 ms: two pixels beyond there is none.
  const QImage image = plots().lanes().grab().toImage();
  const auto pixel = [&](int lane, double t, int by) {
    return image.pixel(static_cast<int>(plots().lanes().x_of(t)) + by,
                       plots().lanes().lane_rect(lane).center().y());
  };
  EXPECT_EQ(pixel(0, 110e9, -4), pixel(0, 20e9, 0));
  EXPECT_NE(pixel(0, 110e9, 4), pixel(0, 20e9, 0));
  EXPECT_EQ(pixel(1, 100e9, -4), pixel(0, 20e9, 0));
  EXPECT_NE(pixel(1, 100e9, 4), pixel(0, 20e9, 0));
}

/// Late is up and orange, early is down and blue.
TEST_F(Measured, TheStripHasASignAndAColour) {
  const auto colour_at = [&](double lead) {
    const QImage image = plots().lead().grab().toImage();
    return QColor(image.pixel(static_cast<int>(plots().lead().x_of(80e9)),
                              static_cast<int>(plots().lead().y_of(lead))));
  };
  open(test::hand_made_report({.stretch = 1.1}));
  EXPECT_EQ(colour_at(5e9), theme().over);
  EXPECT_EQ(colour_at(-5e9), theme().panel);
  open(test::hand_made_report({.stretch = 0.9}));
  EXPECT_EQ(colour_at(-5e9), theme().under);
  EXPECT_EQ(colour_at(5e9), theme().panel);
}

TEST_F(Measured, BarsEndInTheMiddleAtTheTolerance) {
  EXPECT_DOUBLE_EQ(ErrorDelegate::bar_share(0.25, 0.25), 0.5);
  EXPECT_DOUBLE_EQ(ErrorDelegate::bar_share(-0.25, 0.25), -0.5);
  EXPECT_DOUBLE_EQ(ErrorDelegate::bar_share(9, 0.25), 1);
  EXPECT_DOUBLE_EQ(ErrorDelegate::bar_share(0, 0.25), 0);
}

TEST_F(Measured, WithoutTimesItSaysSoAndDrawsNothing) {
  open(R"({"schema": "heddle.validation/1", "verdict": "not_measured", "reasons": ["rank 1 died"],
           "complete": true, "scenario": "s", "case": "f/ddp", "backend": "mpi", "ranks": 2,
           "scale": 1})");
  EXPECT_THAT(view().notice().toStdString(), HasSubstr("Nothing was measured"));
  EXPECT_THAT(view().notice().toStdString(), HasSubstr("rank 1 died"));
}

TEST_F(Measured, NoLabelIsClippedAtAnySize) {
  open(test::hand_made_report({}));
  for (const QSize size : {QSize(1024, 640), QSize(1366, 768), QSize(1920, 1080)}) {
    window_.resize(size);
    test::settle();
    EXPECT_EQ(window_.size(), size);  // nothing is wider than the window
    EXPECT_GE(plots().lanes().plot_rect().left(), plots().lanes().wanted_gutter());
    EXPECT_GE(plots().lead().plot_rect().left(), plots().lead().wanted_gutter());
  }
}

}  // namespace
}  // namespace heddle::gui
