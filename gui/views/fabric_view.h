#pragma once
// The machine of a case: devices in tiers, links coloured and widened by their load at the time
// cursor, or by their mean over the step while there is none. Wheel zooms, drag pans, Home fits.

#include <QWidget>
#include <memory>
#include <vector>

#include "gui/models/fabric_layout.h"

namespace heddle::gui {

class CaseView;
class Legend;
class TimeAxis;

class FabricView : public QWidget {
 public:
  FabricView(TimeAxis& axis, QWidget* parent);
  ~FabricView() override;

  void set_view(std::shared_ptr<const CaseView> view);
  bool is_collapsed() const { return collapsed_; }
  void set_collapsed(bool collapsed);
  const FabricLayout& layout_of_devices() const { return layout_; }
  QRectF vertex_rect(std::size_t vertex) const;
  /// The colour in which a direction of a bundle is drawn now.
  QColor bundle_color(const std::vector<fabric::LinkId>& links) const;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct Wire;
  QPointF place(double x, double y) const;
  std::vector<Wire> wires() const;
  void paint_frames(QPainter& painter) const;
  void paint_wires(QPainter& painter, const std::vector<Wire>& wires) const;
  void paint_loads(QPainter& painter, const std::vector<Wire>& wires) const;
  void paint_vertices(QPainter& painter) const;
  void paint_heading(QPainter& painter) const;
  QString vertex_name(const FabricVertex& vertex) const;
  int rank_of(const FabricVertex& vertex) const;  // -1: not in the job
  QString tip(const QPointF& at) const;
  void fit();

  TimeAxis& axis_;
  std::shared_ptr<const CaseView> view_;
  FabricLayout layout_;
  bool collapsed_ = false;
  double zoom_ = 1;
  QPointF pan_;
  QPointF pressed_;
};

}  // namespace heddle::gui
