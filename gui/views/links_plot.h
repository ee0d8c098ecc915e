#pragma once
// Load of the busiest links over time, a row each, full height at capacity.

#include <vector>

#include "gui/views/time_plot.h"
#include "sim/fabric/device.h"

namespace heddle::gui {

class LinksPlot : public TimePlot {
 public:
  LinksPlot(TimeAxis& axis, QWidget* parent);

  void set_view(std::shared_ptr<const CaseView> view) override;
  int wanted_gutter() const override;
  QSize minimumSizeHint() const override;
  QSize sizeHint() const override { return minimumSizeHint(); }
  const std::vector<fabric::LinkId>& links() const { return links_; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  int row_height() const;
  void paint_row(QPainter& painter, std::size_t row) const;

  std::vector<fabric::LinkId> links_;  // see busiest_links()
};

}  // namespace heddle::gui
