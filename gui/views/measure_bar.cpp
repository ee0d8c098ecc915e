#include "gui/views/measure_bar.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>

#include "gui/models/document.h"
#include "gui/models/measurement.h"
#include "sim/base/units_text.h"

namespace heddle::gui {

MeasureBar::MeasureBar(Document& document, Measurement& measurement, QWidget* parent)
    : QWidget(parent),
      document_(document),
      measurement_(measurement),
      what_(new QLabel(this)),
      backend_(new QComboBox(this)),
      ranks_(new QSpinBox(this)),
      scale_(new QDoubleSpinBox(this)),
      start_(new QPushButton("Measure", this)),
      cancel_(new QPushButton("Stop", this)),
      progress_(new QProgressBar(this)),
      state_(new QLabel(this)) {
  add_choices();
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 7, 8, 7);
  row->setSpacing(8);
  for (QWidget* widget : std::initializer_list<QWidget*>{what_, backend_, ranks_, scale_, start_,
                                                         cancel_, progress_}) {
    row->addWidget(widget);
  }
  row->addWidget(state_, 1);
  connect(start_, &QPushButton::clicked, this, &MeasureBar::start);
  connect(cancel_, &QPushButton::clicked, this, [this] { measurement_.process().cancel(); });
  connect(&measurement_, &Measurement::state_changed, this, &MeasureBar::refresh);
  connect(&document_, &Document::chosen_changed, this, &MeasureBar::refresh);
  connect(&document_, &Document::edits_changed, this, &MeasureBar::refresh);
  refresh();
}

void MeasureBar::add_choices() {
  backend_->addItems(measurement_.backends());
  backend_->setAccessibleName("Backend");
  backend_->setToolTip("What runs the schedule; \"reference\" is for tests");
  ranks_->setRange(1, 64);
  ranks_->setValue(2);
  ranks_->setSuffix(" ranks");
  ranks_->setAccessibleName("Ranks");
  ranks_->setToolTip("Plans for so many ranks instead of the case's own");
  scale_->setDecimals(3);
  scale_->setRange(0.001, 1);
  scale_->setSingleStep(0.01);
  scale_->setValue(0.03);
  scale_->setPrefix("scale ");
  scale_->setAccessibleName("Scale of the model");
  scale_->setToolTip(
      "Heads, layers, MLP and vocabulary times this: a whole model is too much for "
      "CPU ranks");
  for (QAbstractSpinBox* box : std::initializer_list<QAbstractSpinBox*>{ranks_, scale_}) {
    box->findChild<QLineEdit*>()->setAccessibleName(box->accessibleName());
  }
  progress_->setFixedWidth(90);
  progress_->setTextVisible(false);
  progress_->setAccessibleName("Progress of the measurement");
  cancel_->setToolTip("Stops the ranks; what was measured so far is kept and said to be partial");
  state_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  state_->setForegroundRole(QPalette::PlaceholderText);
}

void MeasureBar::start() {
  measurement_.start(document_, {backend_->currentText(), ranks_->value(), scale_->value()});
  refresh();
}

QString MeasureBar::state_text() const {
  const MeasureProcess& process = measurement_.process();
  if (process.is_running()) {
    if (process.samples() == 0) return process.stage();
    return QString("%1: %2 samples, the last %3")
        .arg(process.stage())
        .arg(process.samples())
        .arg(QString::fromStdString(format_duration(duration_from_seconds(process.last_step()))));
  }
  if (measurement_.diagnostics().has_errors()) {
    return QString::fromStdString(first_error(measurement_.diagnostics())).section('\n', 0, 0);
  }
  if (backend_->count() == 0) return "no backend beside " + measurement_.program();
  return document_.results() ? "" : "open a scenario to measure it";
}

void MeasureBar::refresh() {
  const bool running = measurement_.process().is_running();
  const bool ready = document_.results() != nullptr && backend_->count() > 0;
  const bool scenario = document_.results() != nullptr;
  what_->setText(scenario ? QString("Measure %1 on")
                                .arg(QString::fromStdString(
                                    document_.results()->cases[document_.chosen()].case_id))
                          : QString("Measure"));
  for (QWidget* choice : std::initializer_list<QWidget*>{backend_, ranks_, scale_, start_}) {
    choice->setEnabled(ready && !running);
  }
  cancel_->setVisible(running);
  progress_->setVisible(running);
  progress_->setRange(0, 0);  // how long it takes is what the run finds out
  const QString said = state_text();
  state_->setText(said);
  state_->setToolTip(said);
}

}  // namespace heddle::gui
