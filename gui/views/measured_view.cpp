#include "gui/views/measured_view.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/models/measured_overlay.h"
#include "gui/models/measurement.h"
#include "gui/models/report_text.h"
#include "gui/views/error_list.h"
#include "gui/views/fact_list.h"
#include "gui/views/measure_bar.h"
#include "gui/views/measured_plots.h"
#include "gui/views/theme.h"

namespace heddle::gui {
namespace {

QColor verdict_color(ReportVerdict verdict) {
  if (verdict == ReportVerdict::kAgrees) return theme().good;
  return verdict == ReportVerdict::kDisagrees ? theme().bad : theme().warn;
}

std::vector<Fact> facts_of(const ValidationReport& report) {
  std::vector<Fact> facts;
  for (const auto& [name, value] : report.environment) {
    facts.push_back({QString::fromStdString(name), QString::fromStdString(value)});
  }
  return facts;
}

/// What a person can do where there is nothing to look at yet.
const char* const kNothingOpen =
    "Open the report of a measurement, drop it here, or measure the case that is shown: its "
    "schedule runs on real processors, operation by operation, and lies below its prediction.";

}  // namespace

MeasuredView::MeasuredView(Document& document, Measurement& measurement, QWidget* parent)
    : QWidget(parent),
      measurement_(measurement),
      pages_(new QStackedWidget(this)),
      notice_(new QLabel(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(make_head());
  notice_->setWordWrap(true);
  notice_->setMargin(28);
  notice_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  notice_->setTextFormat(Qt::RichText);
  notice_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  pages_->addWidget(notice_);
  pages_->addWidget(make_body());
  column->addWidget(pages_, 1);
  column->addWidget(new MeasureBar(document, measurement, this));
  connect(&measurement_, &Measurement::report_changed, this, &MeasuredView::show_report);
  connect(&measurement_, &Measurement::state_changed, this, &MeasuredView::show_state);
  show_report();
}

QWidget* MeasuredView::make_head() {
  auto* head = new QWidget(this);
  auto* row = new QHBoxLayout(head);
  row->setContentsMargins(12, 7, 8, 7);
  row->setSpacing(8);
  auto* words = new QVBoxLayout;
  words->setSpacing(1);
  verdict_ = new QLabel(head);
  verdict_->setTextFormat(Qt::RichText);
  origin_ = new QLabel(head);
  for (QLabel* label : {verdict_, origin_}) {
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    words->addWidget(label);
  }
  origin_->setForegroundRole(QPalette::PlaceholderText);
  row->addLayout(words, 1);
  rank_ = new QComboBox(head);
  rank_->setAccessibleName("Rank shown");
  row->addWidget(rank_);
  connect(rank_, &QComboBox::activated, this, &MeasuredView::show_rank);
  auto* open = new QPushButton("Open report...", head);
  connect(open, &QPushButton::clicked, this, &MeasuredView::open_asked);
  row->addWidget(open);
  auto* save = new QPushButton("Save report...", head);
  connect(save, &QPushButton::clicked, this, &MeasuredView::save_asked);
  row->addWidget(save);
  save_ = save;
  return head;
}

QWidget* MeasuredView::make_body() {
  auto* split = new QSplitter(Qt::Horizontal, this);
  split->setChildrenCollapsible(false);
  plots_ = new MeasuredPlots(split);
  auto* side = new QSplitter(Qt::Vertical, split);
  errors_ = new ErrorList(side);
  facts_ = new FactList(side);
  auto* scroll = new QScrollArea(side);
  scroll->setWidget(facts_);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setAccessibleName("Environment of the measurement");
  side->addWidget(errors_);
  side->addWidget(scroll);
  side_ = side;
  split->addWidget(plots_);
  split->addWidget(side);
  split->setStretchFactor(0, 1);
  body_ = split;
  return split;
}

void MeasuredView::show_notice(const QString& title, const QString& text) {
  notice_->setText(QString("<p style='font-size:%1px'><b>%2</b></p>"
                           "<p style='white-space:pre-wrap'>%3</p>")
                       .arg(ui_font(3).pixelSize())
                       .arg(title.toHtmlEscaped(), text.toHtmlEscaped()));
  pages_->setCurrentIndex(0);
}

QString MeasuredView::notice() const {
  return pages_->currentIndex() == 0 ? notice_->text() : QString();
}

void MeasuredView::show_report() {
  const auto& report = measurement_.report();
  rank_->setVisible(report != nullptr && report->step.has_value());
  save_->setVisible(report != nullptr);
  if (!report) {
    verdict_->setText("<b>No measurement is open</b>");
    origin_->clear();
    return show_notice("Nothing measured yet", kNothingOpen);
  }
  verdict_->setText(QString("<b style='color:%1'>%2</b>&nbsp;&nbsp; %3")
                        .arg(verdict_color(report->verdict).name(),
                             QString::fromStdString(verdict_word(*report)).toUpper(),
                             QString::fromStdString(summary_text(*report)).toHtmlEscaped()));
  verdict_->setToolTip(QString::fromStdString(summary_text(*report)));
  origin_->setText(QString::fromStdString(origin_text(*report)));
  origin_->setToolTip(QString::fromStdString(report->file));
  errors_->set_report(report);
  share_width();
  facts_->set_facts(facts_of(*report));
  if (!report->step) {
    plots_->set_overlay(nullptr);
    return show_notice("Nothing was measured", QString::fromStdString(failure_text(*report)));
  }
  rank_->clear();
  for (int rank = 0; rank < report->ranks; ++rank) rank_->addItem(QString("rank %1").arg(rank));
  show_rank(slowest_rank(*report));
}

void MeasuredView::show_rank(int rank) {
  rank_->setCurrentIndex(rank);
  plots_->set_overlay(std::make_shared<const MeasuredOverlay>(measurement_.report(), rank));
  pages_->setCurrentIndex(1);
}

/// A file that was refused, or a run that left no report. What is open stays.
void MeasuredView::show_state() {
  if (measurement_.report() || !measurement_.diagnostics().has_errors()) return;
  QString text;
  for (const Diagnostic& d : measurement_.diagnostics().all()) {
    text += QString::fromStdString(format(d)) + "\n";
  }
  show_notice("This cannot be shown", text.trimmed());
}

/// The table gets what it needs, if that leaves half to the plots.
void MeasuredView::share_width() {
  const int side = std::min(errors_->wanted_width(), width() * 9 / 20);
  body_->setSizes({width() - side, side});
  side_->setSizes({height() * 3 / 5, height() * 2 / 5});
}

void MeasuredView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  share_width();
}

void MeasuredView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) {
    QMetaObject::invokeMethod(
        this, [this] { show_report(); }, Qt::QueuedConnection);
  }
  QWidget::changeEvent(event);
}

}  // namespace heddle::gui
