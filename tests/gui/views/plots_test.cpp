// What is on screen, at the pixel.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QImage>
#include <QTest>
#include <QWheelEvent>
#include <cmath>

#include "gui/models/bundle_load.h"
#include "gui/models/case_view.h"
#include "gui/models/document.h"
#include "gui/models/follow.h"
#include "gui/models/time_axis.h"
#include "gui/views/fabric_view.h"
#include "gui/views/lanes_plot.h"
#include "gui/views/legend_entries.h"
#include "gui/views/memory_plot.h"
#include "gui/views/theme.h"
#include "gui/views/time_ruler.h"
#include "gui/views/timeline_view.h"
#include "tests/gui/views/founding_window.h"

namespace heddle::gui {
namespace {

std::shared_ptr<const CaseView> case_of(Document& document, const std::string& id) {
  document.choose(id);
  return document.view(document.chosen());
}

TEST(MemoryPlot, CapacityLineIsAtItsPixel) {
  test::FoundingDocument founding("mistral-7b-4xa100.json");
  const auto view = case_of(founding.document, "a100/fsdp");
  TimeAxis axis;
  axis.set_bounds(view->all(), view->all());
  MemoryPlot plot(axis, nullptr);
  plot.set_gutter(80);
  plot.set_view(view);
  for (const QSize size : {QSize(200, 150), QSize(838, 298), QSize(4000, 900)}) {
    plot.resize(size);
    const QImage shot = plot.grab().toImage();
    const double full = plot.y_of(static_cast<double>(view->result().memory.capacity.value));
    const int x = plot.plot_rect().left() + 3;
    EXPECT_EQ(shot.pixelColor(x, static_cast<int>(std::round(full))), theme().muted)
        << size.width();
    EXPECT_NE(shot.pixelColor(x, static_cast<int>(std::round(full)) - 4), theme().muted);
  }
}

TEST(MemoryPlot, LayersStandInTheLegendsOrder) {
  test::FoundingDocument founding("mistral-7b-4xh200.json");
  const auto view = case_of(founding.document, "nvswitch/ddp");
  TimeAxis axis;
  axis.set_bounds(view->all(), view->last_step());
  MemoryPlot plot(axis, nullptr);
  plot.set_view(view);
  plot.resize(600, 500);
  const QImage shot = plot.grab().toImage();
  const int x = plot.plot_rect().right() - 12;  // long after the last change
  const double t = plot.t_of(x);
  const MemoryMoment* moment = view->memory().at(std::llround(t));
  double sum = 0;
  int seen = 0;
  for (std::size_t layer = 0; layer < kLayerCount; ++layer) {
    const auto bytes = static_cast<double>(moment->layers[layer]);
    const double middle = plot.y_of(sum + bytes / 2);
    const bool visible = plot.y_of(sum) - plot.y_of(sum + bytes) >= 3;
    sum += bytes;
    if (!visible) continue;
    ++seen;
    EXPECT_EQ(shot.pixelColor(x, static_cast<int>(middle)), theme().layers[layer]) << layer;
  }
  EXPECT_GE(seen, 4);
  const auto legend = memory_legend({view.get()});
  std::size_t next = 0;
  for (std::size_t layer = 0; layer < kLayerCount; ++layer) {
    if (next < legend.size() && legend[next].color == theme().layers[layer]) ++next;
  }
  EXPECT_EQ(next, legend.size());  // in layer order, all of them
}

class Timeline : public testing::Test {
 protected:
  Timeline() {
    view_ = case_of(founding_.document, "nvswitch/fsdp");
    axis_.set_bounds(view_->all(), view_->last_step());
    timeline_.set_view(view_);
    timeline_.resize(1000, 620);
    timeline_.show();
    test::settle();
  }
  void wheel(QWidget& on, const QPointF& at, int notches) {
    QWheelEvent event(at, on.mapToGlobal(at), {}, {0, notches * 120}, Qt::NoButton,
                      Qt::ControlModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&on, &event);
  }

  test::FoundingDocument founding_{"mistral-7b-4xh200.json"};
  std::shared_ptr<const CaseView> view_;
  TimeAxis axis_;
  Pick pick_;
  TimelineView timeline_{axis_, pick_, nullptr};
};

TEST_F(Timeline, WheelKeepsTheTimeUnderThePointer) {
  LanesPlot& lanes = timeline_.lanes();
  const QPointF at(700, 40);
  const double t = lanes.t_of(at.x());
  for (int i = 0; i < 12; ++i) wheel(lanes, at, i % 5 == 4 ? -1 : 1);
  EXPECT_NEAR(lanes.x_of(t), at.x(), 1.0);
}

TEST_F(Timeline, BackspaceReturnsToTheExactRange) {
  LanesPlot& lanes = timeline_.lanes();
  const Span before = axis_.range();
  wheel(lanes, {500, 40}, 3);
  QTest::keyClick(&lanes, Qt::Key_D);
  QTest::keyClick(&lanes, Qt::Key_Backspace);
  QTest::keyClick(&lanes, Qt::Key_Backspace);
  EXPECT_EQ(axis_.range(), before);
}

TEST_F(Timeline, DraggingSelectsATimeAndEscapeClearsIt) {
  LanesPlot& lanes = timeline_.lanes();
  QTest::mousePress(&lanes, Qt::LeftButton, {}, {400, 40});
  QTest::mouseMove(&lanes, {600, 40});
  QTest::mouseRelease(&lanes, Qt::LeftButton, {}, {600, 40});
  ASSERT_TRUE(axis_.selection());
  EXPECT_NEAR(lanes.x_of(axis_.selection()->begin), 400, 1);
  EXPECT_NEAR(lanes.x_of(axis_.selection()->end), 600, 1);
  QTest::keyClick(&lanes, Qt::Key_Escape);
  EXPECT_FALSE(axis_.selection());
}

TEST_F(Timeline, PlotsShareTheirLeftEdge) {
  EXPECT_EQ(timeline_.lanes().x_of(axis_.range().begin),
            timeline_.memory().x_of(axis_.range().begin));
  EXPECT_EQ(timeline_.lanes().plot_rect().width(), timeline_.memory().plot_rect().width());
}

TEST_F(Timeline, NoLabelIsCutOrMeetsAnother) {
  for (const QSize size : {QSize(496, 306), QSize(838, 520), QSize(1392, 900)}) {
    timeline_.resize(size);
    test::settle();
    for (int zoom = 0; zoom < 12; ++zoom) {
      const auto boxes = timeline_.ruler().label_boxes();
      EXPECT_GE(boxes.size(), 2U);
      for (std::size_t i = 0; i < boxes.size(); ++i) {
        EXPECT_LE(boxes[i].right(), timeline_.ruler().width());
        if (i > 0) {
          EXPECT_GT(boxes[i].left(), boxes[i - 1].right());
        }
      }
      axis_.zoom(2.3, axis_.range().begin + 0.37 * axis_.range().length());
    }
    axis_.show(view_->last_step());
    EXPECT_GE(timeline_.lanes().plot_rect().left(), timeline_.lanes().wanted_gutter());
    EXPECT_GE(timeline_.memory().plot_rect().left(), timeline_.memory().wanted_gutter());
  }
}

TEST_F(Timeline, ALanesPixelHasTheColourOfItsBox) {
  const Lane& compute = *view_->compute_lane();
  LanesPlot& lanes = timeline_.lanes();
  const Span step = view_->last_step();
  axis_.show({step.begin + step.length() * 0.38, step.begin + step.length() * 0.4});
  const QImage shot = lanes.grab().toImage();
  int probed = 0;
  for (const LaneBox& box : compute.index.boxes()) {
    const double left = lanes.x_of(static_cast<double>(box.start));
    const double right = lanes.x_of(static_cast<double>(box.end));
    const bool whole = left >= lanes.plot_rect().left() && right <= lanes.plot_rect().right();
    if (box.paint == Paint::kWait || right - left < 8 || !whole) continue;
    ++probed;
    EXPECT_EQ(shot.pixelColor(static_cast<int>((left + right) / 2), lanes.lane_rect(1).top() + 2),
              theme().paints[static_cast<std::size_t>(box.paint)]);
  }
  EXPECT_GT(probed, 3);
}

TEST(FabricView, ALinkHasTheColourOfItsLoadAtTheCursor) {
  test::FoundingDocument founding("mistral-7b-4xh200.json");
  const auto view = case_of(founding.document, "across-quads/fsdp");
  TimeAxis axis;
  axis.set_bounds(view->all(), view->last_step());
  FabricView fabric(axis, nullptr);
  fabric.resize(900, 600);
  fabric.set_view(view);
  const fabric::LinkId link = busiest_links(*view, 1).front();
  for (const double share : {0.05, 0.4, 0.99}) {
    axis.set_cursor(view->last_step().begin + share * view->last_step().length());
    const std::int64_t moment = std::llround(*axis.cursor());
    double load = 0;  // straight from the run's samples
    for (const engine::LinkSample& sample : view->result().run.links) {
      if (sample.link == link && sample.time.ps <= moment) load = sample.load.gb_per_second();
    }
    const double capacity = view->fabric().link(link).capacity.gb_per_second();
    EXPECT_EQ(fabric.bundle_color({link}), theme().load(load / capacity)) << share;
    EXPECT_FALSE(fabric.grab().toImage().isNull());
  }
}

TEST(FabricView, LargeClustersOpenCollapsed) {
  test::FoundingDocument founding("mistral-7b-2x8xh200.json");
  const auto view = founding.document.view(0);
  TimeAxis axis;
  FabricView fabric(axis, nullptr);
  fabric.set_view(view);
  EXPECT_FALSE(fabric.is_collapsed());  // 16 GPUs
  fabric.set_collapsed(true);
  EXPECT_LT(fabric.layout_of_devices().vertices.size(), view->fabric().devices().size());
}

}  // namespace
}  // namespace heddle::gui
