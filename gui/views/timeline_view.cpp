#include "gui/views/timeline_view.h"

#include <QEvent>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/models/case_view.h"
#include "gui/models/follow.h"
#include "gui/views/lanes_plot.h"
#include "gui/views/legend_entries.h"
#include "gui/views/links_plot.h"
#include "gui/views/memory_plot.h"
#include "gui/views/overview_strip.h"
#include "gui/views/search_bar.h"
#include "gui/views/time_ruler.h"

namespace heddle::gui {
namespace {

QWidget* under_legend(Legend* legend, QWidget* plot, QWidget* parent) {
  auto* box = new QWidget(parent);
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(legend);
  column->addWidget(plot, 1);
  return box;
}

}  // namespace

TimelineView::TimelineView(TimeAxis& axis, Pick& pick, QWidget* parent)
    : QWidget(parent),
      pick_(pick),
      search_(new SearchBar(this)),
      overview_(new OverviewStrip(axis, this)),
      ruler_(new TimeRuler(axis, this)),
      lanes_(new LanesPlot(axis, this)),
      memory_(new MemoryPlot(axis, this)),
      links_(new LinksPlot(axis, this)),
      lane_legend_(new Legend(this)),
      memory_legend_(new Legend(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(search_);
  column->addWidget(overview_);
  column->addWidget(ruler_);
  auto* split = new QSplitter(Qt::Vertical, this);
  split->setChildrenCollapsible(false);
  lane_box_ = under_legend(lane_legend_, lanes_, split);
  split->addWidget(lane_box_);
  split->addWidget(under_legend(memory_legend_, memory_, split));
  split->addWidget(links_);
  split->setStretchFactor(0, 4);
  split->setStretchFactor(1, 5);
  split->setStretchFactor(2, 0);
  column->addWidget(split, 1);
  lanes_->rearranged = [this] { share_height(); };
  lanes_->picked = [this](const std::optional<LaneMark>& mark) {
    pick_.set(mark && view_ ? std::optional(follow(*view_, *mark)) : std::nullopt);
  };
  connect(&pick_, &Pick::changed, this, [this] {
    std::vector<LaneMark> marks;
    if (const auto& followed = pick_.followed()) {
      marks = followed->peers;
      marks.push_back(followed->of);
    }
    lanes_->set_marks(std::move(marks));
  });
  connect(search_, &SearchBar::found, this, [this](const LaneMark& mark) {
    lanes_->show_mark(mark);
    if (view_) pick_.set(follow(*view_, mark));
  });
}

void TimelineView::set_view(const std::shared_ptr<const CaseView>& view) {
  view_ = view;
  pick_.set(std::nullopt);
  search_->set_lanes(view);
  search_->set_from(view->last_step().begin - 1);
  overview_->set_view(view);
  for (TimePlot* plot : std::initializer_list<TimePlot*>{ruler_, lanes_, memory_, links_}) {
    plot->set_view(view);
  }
  share_gutter();
  refresh_legends();
  share_height();
}

/// What lanes leave is for the memory below.
void TimelineView::share_height() {
  lane_box_->setMaximumHeight(lanes_->sizeHint().height() +
                              lane_legend_->heightForWidth(lane_legend_->width()));
}

/// One left edge for all, so that a moment is at one place.
void TimelineView::share_gutter() {
  int widest = 0;
  const std::initializer_list<TimePlot*> plots{ruler_, lanes_, memory_, links_};
  for (const TimePlot* plot : plots) widest = std::max(widest, plot->wanted_gutter());
  for (TimePlot* plot : plots) plot->set_gutter(widest);
  overview_->set_gutter(widest);
}

void TimelineView::refresh_legends() {
  if (!view_) return;
  lane_legend_->set_entries(lane_legend(*view_));
  memory_legend_->set_entries(memory_legend({view_.get()}));
}

void TimelineView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
    refresh_legends();
    share_gutter();
  }
  QWidget::changeEvent(event);
}

}  // namespace heddle::gui
