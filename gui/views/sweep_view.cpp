#include "gui/views/sweep_view.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QCompleter>
#include <QFileDialog>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSaveFile>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "gui/models/document.h"
#include "gui/models/sweep.h"
#include "gui/models/sweep_fields.h"
#include "gui/views/curves_plot.h"
#include "gui/views/heat_map.h"
#include "gui/views/theme.h"

namespace heddle::gui {
namespace {

const char* const kNone = "nothing: curves";
const char* const kHint =
    "Choose a setting and its values, as 1,2,4 or as 1024:8192:8, and a second one for a heat map; "
    "every case of the scenario is run at every point.";

}  // namespace

SweepView::SweepView(Document& document, QWidget* parent)
    : QWidget(parent),
      document_(document),
      sweep_(new Sweep(document, this)),
      pages_(new QStackedWidget(this)),
      notice_(new QLabel(kHint, this)),
      heat_map_(new HeatMap(this)),
      curves_(new CurvesPlot(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(make_head());
  notice_->setWordWrap(true);
  notice_->setMargin(28);
  notice_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  notice_->setForegroundRole(QPalette::PlaceholderText);
  for (QWidget* page : std::initializer_list<QWidget*>{notice_, heat_map_, curves_}) {
    pages_->addWidget(page);
  }
  column->addWidget(pages_, 1);
  connect(sweep_, &Sweep::changed, this, &SweepView::refresh);
  connect(&document_, &Document::opened, this, &SweepView::refresh_fields);
  connect(heat_map_, &HeatMap::opened, this,
          [this](std::size_t point) { open_point(point, case_->currentText().toStdString()); });
  connect(curves_, &CurvesPlot::opened, this, &SweepView::open_point);
  refresh_fields();
  refresh();
}

SweepView::AxisChoice SweepView::add_axis(const QString& name, bool may_be_none) {
  AxisChoice choice{new QComboBox(this), new QLineEdit(this)};
  choice.field->setEditable(true);
  choice.field->setInsertPolicy(QComboBox::NoInsert);
  choice.field->setAccessibleName(name);
  choice.field->lineEdit()->setAccessibleName(name);
  choice.field->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  choice.field->setMinimumContentsLength(22);
  choice.field->completer()->setFilterMode(Qt::MatchContains);
  choice.field->completer()->setCompletionMode(QCompleter::PopupCompletion);
  choice.values->setAccessibleName(name + ", values");
  choice.values->setPlaceholderText("1,2,4 or 1024:8192:8");
  connect(choice.field, &QComboBox::currentTextChanged, this,
          [choice, may_be_none](const QString& path) {
            choice.values->setEnabled(!may_be_none || path != kNone);
            const int known = choice.field->findText(path);
            if (known < 0) return;
            const std::string value = choice.field->itemData(known).toString().toStdString();
            choice.values->setText(QString::fromStdString(suggested_values(value)));
          });
  connect(choice.values, &QLineEdit::returnPressed, this, &SweepView::run);
  return choice;
}

QWidget* SweepView::make_head() {
  auto* head = new QWidget(this);
  auto* grid = new QGridLayout(head);
  grid->setContentsMargins(12, 8, 8, 8);
  grid->setHorizontalSpacing(8);
  grid->setVerticalSpacing(6);
  along_ = add_axis("Along", false);
  down_ = add_axis("Up", true);
  int row = 0;
  for (const auto& [name, axis] : {std::pair{"Along", along_}, std::pair{"Up", down_}}) {
    grid->addWidget(new QLabel(name, head), row, 0);
    grid->addWidget(axis.field, row, 1);
    grid->addWidget(axis.values, row++, 2);
  }
  run_ = new QPushButton("Sweep", head);
  cancel_ = new QPushButton("Stop", head);
  progress_ = new QProgressBar(head);
  progress_->setTextVisible(false);
  progress_->setAccessibleName("Progress of the sweep");
  state_ = new QLabel(head);
  state_->setForegroundRole(QPalette::PlaceholderText);
  state_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  grid->addWidget(run_, 0, 3);
  grid->addWidget(cancel_, 0, 4);
  grid->addWidget(progress_, 0, 5);
  grid->addWidget(state_, 1, 3, 1, 3);
  grid->addWidget(make_choices(), 2, 0, 1, 6);
  grid->setColumnStretch(2, 2);
  grid->setColumnStretch(5, 1);
  connect(run_, &QPushButton::clicked, this, &SweepView::run);
  connect(cancel_, &QPushButton::clicked, this, [this] { sweep_->cancel(); });
  return head;
}

QWidget* SweepView::make_choices() {
  auto* box = new QWidget(this);
  auto* row = new QHBoxLayout(box);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(8);
  figure_ = new QComboBox(box);
  figure_->setAccessibleName("Figure");
  case_ = new QComboBox(box);
  case_->setAccessibleName("Case of the sweep");
  for (QComboBox* choice : {figure_, case_}) {
    choice->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(choice, &QComboBox::activated, this, &SweepView::refresh);
  }
  copy_ = new QPushButton("Copy as command", box);
  save_ = new QPushButton("Save rows...", box);
  row->addWidget(new QLabel("Show", box));
  row->addWidget(figure_);
  row->addWidget(new QLabel("of", box));
  row->addWidget(case_);
  row->addStretch(1);
  row->addWidget(copy_);
  row->addWidget(save_);
  connect(copy_, &QPushButton::clicked, this, [this] {
    QApplication::clipboard()->setText(QString::fromStdString(sweep_->command_line()));
  });
  connect(save_, &QPushButton::clicked, this, &SweepView::save);
  return box;
}

void SweepView::refresh_fields() {
  run_->setEnabled(document_.is_open());
  if (!document_.results()) return;
  const Diagnostics none;
  const ScenarioRows rows(document_.results()->study.scenario(), document_.text(),
                          document_.history().edits(), none);
  down_.field->clear();
  along_.field->clear();
  down_.field->addItem(kNone);
  for (const SweepField& field : sweep_fields(rows)) {
    for (QComboBox* box : {along_.field, down_.field}) {
      box->addItem(QString::fromStdString(field.path), QString::fromStdString(field.value));
    }
  }
  along_.field->setCurrentText("training.micro_batch");
  down_.field->setCurrentText("training.sequence_length");
}

std::vector<std::string> SweepView::varied() const {
  std::vector<std::string> vary;
  // The last varies fastest and lies along the picture.
  for (const AxisChoice& axis : {down_, along_}) {
    if (axis.field->currentText() == kNone || axis.field->currentText().isEmpty()) continue;
    vary.push_back((axis.field->currentText() + "=" + axis.values->text()).toStdString());
  }
  return vary;
}

void SweepView::run() {
  const std::string problem = sweep_->start(varied());
  if (!problem.empty()) state_->setText(QString::fromStdString(problem));
  state_->setToolTip(state_->text());
}

void SweepView::start(const QString& along, const QString& down) {
  const auto put = [](const AxisChoice& axis, const QString& text) {
    axis.field->setCurrentText(text.isEmpty() ? kNone : text.section('=', 0, 0));
    if (!text.isEmpty()) axis.values->setText(text.section('=', 1));
  };
  put(along_, along);
  put(down_, down);
  run();
}

bool SweepView::show_figure(const QString& title) {
  const int at = figure_->findText(title);
  if (at < 0) return false;
  figure_->setCurrentIndex(at);
  refresh();
  return true;
}

bool SweepView::show_case(const QString& case_id) {
  const int at = case_->findText(case_id);
  if (at < 0) return false;
  case_->setCurrentIndex(at);
  refresh();
  return true;
}

/// What was chosen stays chosen while rows come in.
void SweepView::refresh_choices() {
  const SweepAnswer& answer = *sweep_->answer();
  if (figure_->count() == 0) {
    for (const std::size_t column : answer.figures()) {
      figure_->addItem(QString::fromStdString(answer.title(column)), QVariant::fromValue(column));
    }
  }
  if (case_->count() == 0) case_->addItem(kBestCase);
  for (const std::string& id : answer.cases()) {
    if (case_->findText(QString::fromStdString(id)) < 0) {
      case_->addItem(QString::fromStdString(id));
    }
  }
}

void SweepView::refresh() {
  const SweepAnswer* answer = sweep_->answer();
  const bool running = sweep_->is_running();
  cancel_->setVisible(running);
  progress_->setVisible(running);
  copy_->setEnabled(answer != nullptr);
  save_->setEnabled(answer != nullptr);
  if (answer == nullptr) {
    heat_map_->set_answer(nullptr, {});
    curves_->set_answer(nullptr, {});
    figure_->clear();
    case_->clear();
    state_->setText(QString::fromStdString(sweep_->problem()));
    return pages_->setCurrentWidget(notice_);
  }
  refresh_choices();
  const auto total = answer->grid().size();
  progress_->setRange(0, static_cast<int>(total));
  progress_->setValue(static_cast<int>(answer->points_done()));
  state_->setText(QString("%1 of %2 points, %3 rows%4")
                      .arg(answer->points_done())
                      .arg(total)
                      .arg(answer->rows().size())
                      .arg(running || answer->points_done() == total ? "" : ", stopped"));
  const SweepChoice choice{case_->currentText().toStdString(),
                           figure_->currentData().value<std::size_t>()};
  const bool curves = answer->grid().axes().size() == 1;
  if (curves) curves_->set_answer(answer, choice);
  if (!curves) heat_map_->set_answer(answer, choice);
  pages_->setCurrentWidget(curves ? static_cast<QWidget*>(curves_) : heat_map_);
}

void SweepView::open_point(std::size_t point, const std::string& case_id) {
  const SweepCell cell =
      sweep_->answer()->cell(point, case_id, figure_->currentData().value<std::size_t>());
  sweep_->open(point, cell.case_id);
  Q_EMIT opened();
}

void SweepView::save() {
  const QString file =
      QFileDialog::getSaveFileName(this, "Save the rows", {}, "Table (*.csv);;Lines (*.jsonl)");
  if (file.isEmpty()) return;
  const QByteArray bytes = QByteArray::fromStdString(sweep_->text(file.endsWith(".csv")));
  QSaveFile out(file);
  const bool written =
      out.open(QIODevice::WriteOnly) && out.write(bytes) == bytes.size() && out.commit();
  state_->setText(written ? "wrote " + file : file + ": cannot write: " + out.errorString());
}

}  // namespace heddle::gui
