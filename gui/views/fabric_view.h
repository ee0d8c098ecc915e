#pragma once
// The machine of a case: devices in tiers, links coloured and widened by their load at the time
// cursor, or by their mean over the step while there is none. Wheel zooms, drag pans, Home fits; a
// rank dragged onto another GPU moves there.

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "gui/models/fabric_layout.h"
#include "sim/fabric/change.h"

namespace heddle::gui {

class CaseView;
class Legend;
class TimeAxis;
struct FabricWire;

class FabricView : public QWidget {
  Q_OBJECT
 public:
  FabricView(TimeAxis& axis, QWidget* parent);
  ~FabricView() override;

  void set_view(std::shared_ptr<const CaseView> view);
  bool is_collapsed() const { return collapsed_; }
  void set_collapsed(bool collapsed);
  const FabricLayout& layout_of_devices() const { return layout_; }
  QRectF vertex_rect(std::size_t vertex) const;
  /// The GPU at a point of the picture, by its vertex.
  std::optional<std::size_t> gpu_at(const QPointF& at) const;
  /// The link at a point of the picture, in the direction nearest to it.
  std::optional<fabric::LinkId> link_at(const QPointF& at) const;
  /// The colour in which a direction of a bundle is drawn now.
  QColor bundle_color(const std::vector<fabric::LinkId>& links) const;

 Q_SIGNALS:
  /// A what-if was chosen for the case's machine.
  void change_asked(const heddle::fabric::Change& change);
  /// A rank was dragged onto another GPU.
  void move_asked(int rank, heddle::fabric::DeviceId gpu);

 protected:
  void contextMenuEvent(QContextMenuEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  static constexpr int kHeading = 54;  // pixels above the picture
  struct Hit {
    const std::vector<fabric::LinkId>* links;
  };
  std::optional<Hit> hit(const QPointF& at) const;
  QPointF place(double x, double y) const;
  std::vector<FabricWire> wires() const;
  void paint_frames(QPainter& painter) const;
  void paint_wires(QPainter& painter, const std::vector<FabricWire>& wires) const;
  void paint_loads(QPainter& painter, const std::vector<FabricWire>& wires) const;
  void paint_vertices(QPainter& painter) const;
  void paint_heading(QPainter& painter) const;
  void paint_dragged(QPainter& painter) const;
  QString vertex_name(const FabricVertex& vertex) const;
  int rank_of(const FabricVertex& vertex) const;  // -1: not in the job
  QString tip(const QPointF& at) const;
  void fit();

  TimeAxis& axis_;
  std::shared_ptr<const CaseView> view_;
  FabricLayout layout_;
  std::vector<double> room_;  // by vertex: slots to the next in its row
  bool collapsed_ = false;
  double zoom_ = 1;
  QPointF pan_;
  QPointF pressed_;
  int dragged_ = -1;  // rank on its way to another GPU; -1: none
};

}  // namespace heddle::gui
