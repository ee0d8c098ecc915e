#include "gui/views/measured_plots.h"

#include <QEvent>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/models/measured_overlay.h"
#include "gui/models/time_axis.h"
#include "gui/views/lanes_plot.h"
#include "gui/views/lead_plot.h"
#include "gui/views/legend_entries.h"
#include "gui/views/memory_overlay_plot.h"
#include "gui/views/theme.h"
#include "gui/views/time_ruler.h"

namespace heddle::gui {

MeasuredPlots::MeasuredPlots(QWidget* parent)
    : QWidget(parent),
      axis_(new TimeAxis(this)),
      ruler_(new TimeRuler(*axis_, this)),
      legend_(new Legend(this)),
      lanes_(new LanesPlot(*axis_, this)),
      lead_(new LeadPlot(*axis_, this)),
      memory_(new MemoryOverlayPlot(*axis_, this)),
      memory_legend_(new Legend(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(legend_);
  column->addWidget(ruler_);
  auto* split = new QSplitter(Qt::Vertical, this);
  split->setChildrenCollapsible(false);
  split->addWidget(lanes_);
  split->addWidget(lead_);
  split->addWidget(memory_);
  split->setStretchFactor(0, 4);
  split->setStretchFactor(1, 2);
  split->setStretchFactor(2, 4);
  column->addWidget(split, 1);
  column->addWidget(memory_legend_);
}

void MeasuredPlots::set_overlay(const std::shared_ptr<const MeasuredOverlay>& overlay) {
  overlay_ = overlay;
  lanes_->set_lanes(overlay);
  lead_->set_overlay(overlay);
  memory_->set_overlay(overlay);
  if (!overlay) return;
  ruler_->set_origin(0);
  // Room behind the end, where both sides' marks stand.
  const Span all{0, overlay->all().end * 1.01};
  axis_->set_bounds(all, all);
  share_gutter();
  refresh_legend();
}

void MeasuredPlots::share_gutter() {
  const std::initializer_list<TimePlot*> plots{ruler_, lanes_, lead_, memory_};
  int widest = 0;
  for (const TimePlot* plot : plots) widest = std::max(widest, plot->wanted_gutter());
  for (TimePlot* plot : plots) plot->set_gutter(widest);
}

void MeasuredPlots::refresh_legend() {
  if (!overlay_) return;
  std::vector<LegendEntry> entries = lane_legend(*overlay_);
  entries.push_back({theme().over, "predicted late"});
  entries.push_back({theme().under, "predicted early"});
  legend_->set_entries(std::move(entries));
  std::vector<LegendEntry> layers = memory_legend(overlay_->memory());
  if (!layers.empty()) layers.push_back({theme().text, "counted"});
  memory_legend_->setVisible(!layers.empty());
  memory_legend_->set_entries(std::move(layers));
}

void MeasuredPlots::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
    refresh_legend();
    share_gutter();
  }
  QWidget::changeEvent(event);
}

}  // namespace heddle::gui
