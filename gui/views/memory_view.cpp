#include "gui/views/memory_view.h"
#include "gui/models/byte_text.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/models/case_view.h"
#include "gui/models/document.h"
#include "gui/models/time_axis.h"
#include "gui/views/legend_entries.h"
#include "gui/views/memory_plot.h"
#include "gui/views/theme.h"
#include "sim/base/units_text.h"
#include "sim/cli/memory_text.h"

namespace heddle::gui {
namespace {

QColor verdict_color(run::Verdict verdict) {
  if (verdict == run::Verdict::kFits) return theme().good;
  return verdict == run::Verdict::kTooClose ? theme().warn : theme().bad;
}

QLabel* heading(const run::CaseResult& result, const std::string& id, QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setTextFormat(Qt::RichText);
  label->setText(QString("<b>%1</b>&nbsp; <span style='color:%2'>%3</span><br>"
                         "<span style='color:%4'>needs %5</span>")
                     .arg(QString::fromStdString(id).toHtmlEscaped(),
                          verdict_color(result.memory.verdict).name(),
                          QString::fromStdString(cli::verdict_text(result.memory.verdict)),
                          theme().muted.name(),
                          QString::fromStdString(byte_text(result.memory.needed()))));
  return label;
}

}  // namespace

MemoryView::MemoryView(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), legend_(new Legend(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(legend_);
  columns_ = new QHBoxLayout;
  columns_->setContentsMargins(0, 0, 0, 0);
  column->addLayout(columns_, 1);
  connect(&document_, &Document::chosen_changed, this, [this] {
    const bool same =
        !views_.empty() && shown_ == document_.results() &&
        views_.front()->id().fabric == shown_->study.cases()[document_.chosen()].fabric;
    if (!same) show_results();
  });
  connect(&document_, &Document::opened, this, &MemoryView::show_results);
}

/// All cases of the chosen one's fabric, on one scale.
void MemoryView::show_results() {
  delete grid_;
  grid_ = nullptr;
  plots_.clear();
  views_.clear();
  shown_ = document_.results();
  if (!shown_) return;
  const auto& cases = shown_->study.cases();
  const std::size_t fabric = cases[document_.chosen()].fabric;
  grid_ = new QWidget(this);
  auto* row = new QHBoxLayout(grid_);
  row->setContentsMargins(0, 0, 4, 0);
  row->setSpacing(0);
  columns_->addWidget(grid_);
  double top = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (cases[i].fabric != fabric) continue;
    add_column(i, views_.empty());
    top = std::max(top, MemoryPlot::wanted_top(*views_.back()));
  }
  for (MemoryPlot* plot : plots_) plot->set_top(top);
  refresh_legend();
}

void MemoryView::add_column(std::size_t index, bool first) {
  const auto view = document_.view(index);
  views_.push_back(view);
  auto* box = new QWidget(grid_);
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  auto* axis = new TimeAxis(box);  // each its own: steps differ in length
  auto* plot = new MemoryPlot(*axis, box);
  const auto& study = document_.results()->study;
  auto* title = heading(view->result(), study.scenario().strategies[view->id().strategy].id, box);
  const int gutter = first ? plot->wanted_gutter() : 12;
  title->setContentsMargins(gutter, 6, 0, 0);
  column->addWidget(title);
  column->addWidget(plot, 1);
  plot->set_gutter(gutter);
  plot->set_quiet(true);
  plot->set_view(view);
  axis->set_bounds(view->all(), view->all());
  plots_.push_back(plot);
  static_cast<QHBoxLayout*>(grid_->layout())->addWidget(box, first ? 6 : 5);
}

void MemoryView::refresh_legend() {
  std::vector<const CaseView*> all;
  for (const auto& view : views_) all.push_back(view.get());
  legend_->set_entries(memory_legend(all));
}

void MemoryView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
    QMetaObject::invokeMethod(
        this, [this] { show_results(); }, Qt::QueuedConnection);
  }
  QWidget::changeEvent(event);
}

}  // namespace heddle::gui
