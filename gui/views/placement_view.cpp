#include "gui/views/placement_view.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/models/document.h"
#include "gui/models/place_rows.h"
#include "gui/models/placements.h"
#include "gui/views/place_card.h"
#include "gui/views/theme.h"
#include "sim/base/units_text.h"
#include "sim/cli/place_report.h"
#include "sim/cli/place_text.h"
#include "sim/io/gpu_words.h"

namespace heddle::gui {
namespace {

const char* const kEvery = "every machine";

std::vector<run::GpuPlace> busy_gpus(const std::vector<std::string>& words) {
  std::vector<run::GpuPlace> out;
  for (const std::string& text : words) {
    const auto word = io::parse_gpu_word(text);
    if (word) out.push_back({word->node.value_or(0), word->first});
  }
  return out;
}

}  // namespace

PlacementView::PlacementView(Document& document, QWidget* parent)
    : QWidget(parent),
      document_(document),
      placements_(new Placements(document, this)),
      rows_(new PlaceRows(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(make_head());
  column->addWidget(make_body(), 1);
  column->addWidget(make_use());
  connect(placements_, &Placements::changed, this, &PlacementView::refresh);
  connect(&document_, &Document::opened, this, [this] {
    fabric_->clear();
    fabric_->addItem(kEvery);
    for (const run::FabricChoice& fabric : document_.results()->study.scenario().fabrics) {
      fabric_->addItem(QString::fromStdString(fabric.id));
    }
    count_->setValue(document_.results()->cases.front().ranks);
    refresh();
  });
  refresh();
}

QWidget* PlacementView::make_head() {
  auto* head = new QWidget(this);
  auto* row = new QHBoxLayout(head);
  row->setContentsMargins(12, 8, 8, 8);
  row->setSpacing(8);
  count_ = new QSpinBox(head);
  count_->setRange(1, 100'000);
  count_->setSuffix(" GPUs");
  count_->setAccessibleName("GPUs of the job");
  count_->findChild<QLineEdit*>()->setAccessibleName("GPUs of the job");
  busy_ = new QLineEdit(head);
  busy_->setPlaceholderText("busy: 0,5 or 1:3");
  busy_->setToolTip("GPUs that others use; MACHINE:GPU on a cluster");
  busy_->setAccessibleName("Busy GPUs");
  busy_->setMaximumWidth(170);
  fabric_ = new QComboBox(head);
  fabric_->setAccessibleName("Machine");
  fabric_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  start_ = new QPushButton("Rank placements", head);
  stop_ = new QPushButton("Stop", head);
  progress_ = new QProgressBar(head);
  progress_->setTextVisible(false);
  progress_->setFixedWidth(110);
  progress_->setAccessibleName("Progress of the ranking");
  strategy_ = new QComboBox(head);
  strategy_->setAccessibleName("Strategy");
  strategy_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  for (QWidget* widget :
       std::initializer_list<QWidget*>{count_, busy_, fabric_, start_, stop_, progress_}) {
    row->addWidget(widget);
  }
  state_ = new QLabel(head);
  state_->setForegroundRole(QPalette::PlaceholderText);
  state_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  row->addWidget(state_, 1);
  row->addWidget(strategy_);
  connect(start_, &QPushButton::clicked, this, &PlacementView::start);
  connect(busy_, &QLineEdit::returnPressed, this, &PlacementView::start);
  connect(stop_, &QPushButton::clicked, this, [this] { placements_->cancel(); });
  connect(strategy_, &QComboBox::activated, this, [this] {
    show_strategy();
    refresh();
  });
  return head;
}

QWidget* PlacementView::make_body() {
  auto* body = new QWidget(this);
  auto* row = new QHBoxLayout(body);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(1);
  list_ = new QTableView(body);
  list_->setModel(rows_);
  list_->setSelectionBehavior(QAbstractItemView::SelectRows);
  list_->setSelectionMode(QAbstractItemView::SingleSelection);
  list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  list_->setTabKeyNavigation(false);
  list_->setShowGrid(false);
  list_->setWordWrap(false);
  list_->verticalHeader()->hide();
  list_->horizontalHeader()->setHighlightSections(false);
  list_->horizontalHeader()->setStretchLastSection(true);
  list_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  list_->setAccessibleName("Placements");
  row->addWidget(list_, 3);
  auto* cards = new QWidget(body);
  auto* column = new QVBoxLayout(cards);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(1);
  chosen_ = new PlaceCard(cards);
  a_ = new PlaceCard(cards);
  column->addWidget(chosen_, 1);
  column->addWidget(a_, 1);
  cards->setFixedWidth(264);
  row->addWidget(cards);
  connect(list_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          &PlacementView::show_chosen);
  connect(list_, &QTableView::activated, this, &PlacementView::lay_chosen);
  return body;
}

QWidget* PlacementView::make_use() {
  auto* foot = new QWidget(this);
  auto* row = new QHBoxLayout(foot);
  row->setContentsMargins(12, 7, 8, 7);
  row->setSpacing(8);
  use_ = new QLineEdit(foot);
  use_->setReadOnly(true);
  use_->setAccessibleName("Environment line");
  auto* copy = new QPushButton("Copy line", foot);
  auto* command = new QPushButton("Copy as command", foot);
  pin_ = new QPushButton("Compare as A", foot);
  lay_ = new QPushButton("Lay on the fabric", foot);
  row->addWidget(new QLabel("Use", foot));
  row->addWidget(use_, 1);
  for (QPushButton* button : {copy, command, pin_, lay_}) row->addWidget(button);
  connect(copy, &QPushButton::clicked, this,
          [this] { QApplication::clipboard()->setText(use_->text()); });
  connect(command, &QPushButton::clicked, this, [this] {
    QApplication::clipboard()->setText(QString::fromStdString(placements_->command_line()));
  });
  connect(pin_, &QPushButton::clicked, this, &PlacementView::pin_chosen);
  connect(lay_, &QPushButton::clicked, this, &PlacementView::lay_chosen);
  return foot;
}

QString PlacementView::use_line() const {
  return use_->text();
}

void PlacementView::set_busy(const QString& list) {
  busy_->setText(list);
}

void PlacementView::start() {
  const QString fabric = fabric_->currentText();
  placements_->start(count_->value(), busy_->text().toStdString(),
                     fabric == kEvery ? "" : fabric.toStdString());
}

void PlacementView::refresh() {
  show_answer();
  const bool running = placements_->is_running();
  start_->setEnabled(document_.results() != nullptr && !running);
  stop_->setVisible(running);
  progress_->setVisible(running);
  progress_->setRange(0, placements_->total());
  progress_->setValue(placements_->done());
  const auto& answer = placements_->answer();
  QString said = "every placement that the wiring tells apart, run and ranked";
  if (answer) {
    said = QString("%1 placements that the wiring tells apart").arg(answer->places.places.size());
    if (!answer->places.complete) said += ", even ones only";
    said += worst_text();
  }
  if (running) said = QString("%1 of %2 runs").arg(placements_->done()).arg(placements_->total());
  if (!running && placements_->diagnostics().has_errors()) {
    said = QString::fromStdString(first_error(placements_->diagnostics()));
  }
  state_->setText(said);
  state_->setToolTip(said);
}

/// "; ddp: the worst takes 3.86x as long as the best"
QString PlacementView::worst_text() const {
  if (rows_->rowCount() < 2) return {};
  const double worst = rows_->ranked(rows_->rowCount() - 1)->step_time.seconds();
  return QString("; %1: the worst takes %2x as long as the best")
      .arg(QString::fromStdString(rows_->ranked(0)->strategy))
      .arg(worst / rows_->ranked(0)->step_time.seconds(), 0, 'f', 2);
}

void PlacementView::show_answer() {
  const auto& answer = placements_->answer();
  if (answer.get() == shown_) return;
  shown_ = answer.get();
  strategy_->clear();
  for (const std::string& id : cli::place_strategies(answer->places)) {
    strategy_->addItem(QString::fromStdString(id));
  }
  show_strategy();
}

void PlacementView::show_strategy() {
  rows_->set_answer(placements_->answer(), strategy_->currentText().toStdString());
  fit_columns();
  list_->selectRow(0);
  show_chosen();
}

/// The last column takes what is left.
void PlacementView::fit_columns() {
  const QFontMetrics metrics(ui_font());
  list_->verticalHeader()->setDefaultSectionSize(metrics.height() + 8);
  for (int c = 0; c < rows_->columnCount(); ++c) {
    int wide = 0;
    const QString title = rows_->headerData(c, Qt::Horizontal, Qt::DisplayRole).toString();
    for (const QString& line : title.split('\n')) {
      wide = std::max(wide, metrics.horizontalAdvance(line));
    }
    for (int row = 0; row < std::min(rows_->rowCount(), 200); ++row) {
      wide = std::max(wide, metrics.horizontalAdvance(rows_->index(row, c).data().toString()));
    }
    list_->setColumnWidth(c, wide + 24);
  }
}

PlaceCardContent PlacementView::card(int row, const QString& title) const {
  const PlacementAnswer& answer = *placements_->answer();
  const cli::Place& place = *rows_->place(row);
  const cli::RankedPlace& ranked = *rows_->ranked(row);
  PlaceCardContent out;
  out.title = title + ": " + QString::fromStdString(place.fabric);
  out.machine = answer.machines.at(place.fabric);
  out.job = place.gpus;
  out.busy = busy_gpus(answer.places.busy);
  out.lines << "step " + QString::fromStdString(format_duration(ranked.step_time)) + ", " +
                   (ranked.fits ? "fits" : "does not fit");
  if (rows_->pinned() && *rows_->pinned() != row) {
    out.lines << QString::fromStdString(rows_->against_text(row)) + " against A";
    const double more = rows_->against_pinned(row);
    if (more != 0) out.line_color = more > 0 ? theme().over : theme().under;
  }
  return out;
}

void PlacementView::show_chosen() {
  const int row = list_->currentIndex().row();
  const cli::Place* place = rows_->place(row);
  use_->setText(place == nullptr ? QString() : QString::fromStdString(cli::use_text(*place)));
  pin_->setEnabled(place != nullptr);
  lay_->setEnabled(place != nullptr);
  pin_->setText(rows_->pinned() && *rows_->pinned() == row ? "Let go of A" : "Compare as A");
  if (place == nullptr) {
    chosen_->set_content(std::nullopt, "Rank the placements of a job, then choose one.");
  } else {
    chosen_->set_content(card(row, "Chosen"));
  }
  if (rows_->pinned()) {
    a_->set_content(card(*rows_->pinned(), "A"));
  } else {
    a_->set_content(std::nullopt, "\"Compare as A\" keeps the chosen one here.");
  }
}

void PlacementView::pin_chosen() {
  const int row = list_->currentIndex().row();
  if (rows_->place(row) == nullptr) return;
  const bool same = rows_->pinned() && *rows_->pinned() == row;
  rows_->pin(same ? std::nullopt : std::optional(row));
  fit_columns();
  list_->selectRow(row);
  show_chosen();
}

void PlacementView::lay_chosen() {
  const cli::RankedPlace* ranked = rows_->ranked(list_->currentIndex().row());
  if (ranked == nullptr) return;
  placements_->lay(*ranked);
  Q_EMIT laid();
}

void PlacementView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit_columns();
}

}  // namespace heddle::gui
