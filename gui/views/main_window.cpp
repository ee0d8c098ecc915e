#include "gui/views/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QComboBox>
#include <QDockWidget>
#include <QFileInfo>
#include <QLabel>
#include <QProgressBar>
#include <QScrollArea>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QToolBar>
#include <QToolButton>
#include <algorithm>

#include "gui/models/byte_text.h"
#include "gui/models/case_view.h"
#include "gui/models/document.h"
#include "gui/models/edit_journal.h"
#include "gui/models/follow.h"
#include "gui/models/measurement.h"
#include "gui/models/time_axis.h"
#include "gui/models/what_if.h"
#include "gui/views/actions.h"
#include "gui/views/command_palette.h"
#include "gui/views/details_panel.h"
#include "gui/views/fabric_view.h"
#include "gui/views/measured_view.h"
#include "gui/views/memory_view.h"
#include "gui/views/placement_view.h"
#include "gui/views/problems_panel.h"
#include "gui/views/scenario_panel.h"
#include "gui/views/search_bar.h"
#include "gui/views/shortcut_sheet.h"
#include "gui/views/start_page.h"
#include "gui/views/strategies_view.h"
#include "gui/views/sweep_view.h"
#include "gui/views/timeline_view.h"
#include "gui/views/window_actions.h"
#include "gui/views/window_settings.h"

namespace heddle::gui {

MainWindow::MainWindow(Document& document, const WindowOptions& options)
    : document_(document), options_(options), axis_(new TimeAxis(this)), pick_(new Pick(this)) {
  setWindowTitle("Heddle");
  setAcceptDrops(true);
  setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
  const WindowSettings settings =
      options_.settings.isEmpty() ? WindowSettings{} : read_settings(options_.settings);
  if (!options_.settings.isEmpty() && options_.theme == ThemeKind::kSystem) {
    options_.theme = settings.theme;
    options_.scale *= settings.scale;
  }
  scale_by(1);
  add_views();
  add_docks();
  add_menus(*this, window_actions(*this, document_));
  add_tool_bar();
  add_status();
  resize(1366, 768);
  if (!settings.geometry.isEmpty()) restoreGeometry(settings.geometry);
  docks_ = settings.docks;
  recent_ = settings.recent;
  journal_ = std::make_unique<EditJournal>(journal_folder());
  connect(&document_, &Document::opened, this, [this] {
    const bool first = pages_->currentIndex() == 0 || !scenario_seen_;
    scenario_seen_ = true;
    show_tabs();
    if (first) reset_layout();
    if (first && !docks_.isEmpty()) restoreState(docks_);
    remember(QString::fromStdString(document_.file()));
    setWindowTitle(QFileInfo(QString::fromStdString(document_.file())).fileName() + " - Heddle");
  });
  connect(&document_, &Document::run_started, this, &MainWindow::show_state);
  connect(&document_, &Document::run_ended, this, &MainWindow::show_state);
  connect(&document_, &Document::edits_changed, this, &MainWindow::show_state);
  connect(&document_, &Document::edits_changed, this, &MainWindow::keep_edits);
  connect(&document_, &Document::opened, this, &MainWindow::keep_edits);
  connect(&document_, &Document::progressed, this, [this](int done, int total) {
    progress_->setRange(0, total);
    progress_->setValue(done);
  });
  connect(&document_, &Document::chosen_changed, this, &MainWindow::show_case);
  connect(&document_, &Document::results_changed, this, &MainWindow::show_state);
  show_state();
}

MainWindow::~MainWindow() = default;

void MainWindow::add_start_page() {
  auto* start = new StartPage(
      find_examples(options_.home + "/scenarios"),
      options_.settings.isEmpty() ? QStringList() : read_settings(options_.settings).recent,
      find_lost_edits(journal_folder()), pages_);
  connect(start, &StartPage::chosen, this, &MainWindow::open);
  connect(start, &StartPage::restored, this, &MainWindow::restore);
  connect(start, &StartPage::browse, this, &MainWindow::browse);
  auto* scroll = new QScrollArea(pages_);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidget(start);
  pages_->addWidget(scroll);
}

void MainWindow::add_views() {
  pages_ = new QStackedWidget(this);
  add_start_page();
  tabs_ = new QTabWidget(pages_);
  tabs_->setDocumentMode(true);
  tabs_->setAccessibleName("Views");
  tabs_->tabBar()->setAccessibleName("Views");
  auto* strategies = new StrategiesView(document_, tabs_);
  tabs_->addTab(strategies, "Strategies");
  timeline_ = new TimelineView(*axis_, *pick_, tabs_);
  tabs_->addTab(timeline_, "Timeline");
  tabs_->addTab(new MemoryView(document_, tabs_), "Memory");
  fabric_ = new FabricView(*axis_, tabs_);
  tabs_->addTab(fabric_, "Fabric");
  connect(fabric_, &FabricView::change_asked, this, [this](const fabric::Change& change) {
    const run::Study& study = document_.results()->study;
    const std::size_t fabric = study.cases()[document_.chosen()].fabric;
    const auto [path, value] = edit_with(study.scenario(), fabric, change);
    document_.set(path, value);
  });
  connect(fabric_, &FabricView::move_asked, this, [this](int rank, fabric::DeviceId gpu) {
    const run::Study& study = document_.results()->study;
    const auto [path, value] = edit_moving(study, study.cases()[document_.chosen()], rank, gpu);
    document_.set(path, value);
  });
  connect(strategies, &StrategiesView::activated, this, [this] { show_tab("timeline"); });
  sweep_ = new SweepView(document_, tabs_);
  tabs_->addTab(sweep_, "Sweep");
  placement_ = new PlacementView(document_, tabs_);
  tabs_->addTab(placement_, "Placement");
  connect(placement_, &PlacementView::laid, this, [this] { show_tab("fabric"); });
  add_measured();
  pages_->addWidget(tabs_);
  setCentralWidget(pages_);
}

void MainWindow::add_measured() {
  const QString beside = QCoreApplication::applicationDirPath() + "/heddle";
  measurement_ = new Measurement(options_.program.isEmpty() ? beside : options_.program,
                                 QString::fromStdString(options_.home), this);
  measured_ = new MeasuredView(document_, *measurement_, tabs_);
  tabs_->addTab(measured_, "Measured");
  connect(measured_, &MeasuredView::open_asked, this, &MainWindow::browse);
  connect(measured_, &MeasuredView::save_asked, this, &MainWindow::save_report);
  connect(measurement_, &Measurement::report_changed, this, [this] {
    show_tabs();
    tabs_->setCurrentWidget(measured_);
  });
  connect(measurement_, &Measurement::state_changed, this, [this] {
    if (!measurement_->diagnostics().has_errors()) return;
    statusBar()->showMessage(
        QString::fromStdString(format(measurement_->diagnostics().all().front())), 20'000);
  });
}

/// Instead of the start page.
void MainWindow::show_tabs() {
  pages_->setCurrentIndex(1);
}

QDockWidget* MainWindow::add_dock(const QString& title, QWidget* content, Qt::DockWidgetArea area) {
  auto* dock = new QDockWidget(title, this);
  dock->setObjectName(title.toLower() + "_dock");
  dock->setWidget(content);
  // Re-docking is broken on native Wayland in Qt 6.4.
  if (QGuiApplication::platformName() == "wayland") {
    dock->setFeatures(QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable);
  }
  addDockWidget(area, dock);
  return dock;
}

void MainWindow::add_docks() {
  scenario_dock_ = add_dock("Scenario", new ScenarioPanel(document_, this), Qt::LeftDockWidgetArea);
  details_ = new DetailsPanel(*axis_, *pick_, this);
  details_dock_ = add_dock("Details", details_, Qt::RightDockWidgetArea);
  problems_dock_ =
      add_dock("Problems", new ProblemsPanel(document_, this), Qt::BottomDockWidgetArea);
  setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  reset_layout();
}

/// Details need a wide window; problems show themselves when there are any.
void MainWindow::reset_layout() {
  constexpr int kNarrow = 1200;
  constexpr int kWide = 1600;
  for (QDockWidget* dock : {scenario_dock_, details_dock_, problems_dock_})
    dock->setFloating(false);
  addDockWidget(Qt::LeftDockWidgetArea, scenario_dock_);
  addDockWidget(Qt::RightDockWidgetArea, details_dock_);
  addDockWidget(Qt::BottomDockWidgetArea, problems_dock_);
  const bool open = document_.is_open();
  scenario_dock_->setVisible(open && width() >= kNarrow);
  details_dock_->setVisible(open && width() >= kWide);
  problems_dock_->setVisible(document_.diagnostics().has_errors());
  resizeDocks({scenario_dock_, details_dock_}, {304, 300}, Qt::Horizontal);
  resizeDocks({problems_dock_}, {110}, Qt::Vertical);
}

void MainWindow::toggle_dock(const QString& title) {
  for (QDockWidget* dock : findChildren<QDockWidget*>()) {
    if (dock->windowTitle() == title) dock->setVisible(!dock->isVisible());
  }
}

void MainWindow::add_tool_bar() {
  QToolBar* bar = addToolBar("Main");
  bar->setObjectName("main_tool_bar");
  bar->setMovable(false);
  bar->setToolButtonStyle(Qt::ToolButtonTextOnly);
  for (const char* name : {"open", "undo", "redo", "run", "cancel", "pin", "copy_command"}) {
    bar->addAction(find_action(*this, name));
  }
  bar->widgetForAction(find_action(*this, "run"))->setObjectName("primary");
  auto* space = new QWidget(bar);
  space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  bar->addWidget(space);
  case_box_ = new QComboBox(bar);
  case_box_->setAccessibleName("Case shown");
  case_box_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  QAction* shown = bar->addWidget(case_box_);
  shown->setVisible(false);  // until there are cases
  connect(case_box_, &QComboBox::activated, this,
          [this](int index) { document_.choose(static_cast<std::size_t>(index)); });
  connect(&document_, &Document::results_changed, this, [this, shown] {
    shown->setVisible(true);
    case_box_->clear();
    for (const run::CaseResult& result : document_.results()->cases) {
      case_box_->addItem(QString::fromStdString(result.case_id));
    }
  });
}

void MainWindow::add_status() {
  state_ = new QLabel(this);
  seed_ = new QLabel(this);
  progress_ = new QProgressBar(this);
  progress_->setTextVisible(false);
  progress_->setFixedWidth(140);
  progress_->setAccessibleName("Progress");
  statusBar()->addWidget(state_);
  statusBar()->addWidget(progress_);
  statusBar()->addPermanentWidget(seed_);
  statusBar()->setSizeGripEnabled(false);
}

bool MainWindow::show_tab(const QString& name) {
  const int index = static_cast<int>(tab_names().indexOf(name));
  if (index < 0) return false;
  tabs_->setCurrentIndex(index);
  return true;
}

QStringList MainWindow::tab_names() const {
  QStringList names;
  for (int i = 0; i < tabs_->count(); ++i) names << tabs_->tabText(i).toLower();
  return names;
}

void MainWindow::show_state() {
  const bool running = document_.is_running();
  const int errors = document_.diagnostics().error_count();
  progress_->setVisible(running);
  problems_dock_->setVisible(errors > 0);
  QString text = "Ready";
  if (running) text = "Running";
  if (!running && errors > 0) text = QString("%1 problem(s), see Problems").arg(errors);
  state_->setText(text);
  seed_->setText(
      document_.results()
          ? QString::fromStdString("fingerprint " + document_.results()->study.fingerprint())
          : QString());
  const EditHistory& history = document_.history();
  const auto name_step = [this](const char* name, const QString& word, bool can,
                                const std::string& step) {
    QAction* action = find_action(*this, name);
    action->setEnabled(can);
    action->setIconText(word);  // the tool bar's
    action->setText(can ? word + " " + QString::fromStdString(step) : word);
  };
  name_step("undo", "Undo", history.can_undo(), history.undo_name());
  name_step("redo", "Redo", history.can_redo(), history.can_redo() ? history.redo_name() : "");
  find_action(*this, "pin")->setEnabled(document_.is_current());
  find_action(*this, "unpin")->setEnabled(document_.pinned() != nullptr);
  find_action(*this, "save")->setEnabled(document_.is_current());
  find_action(*this, "export")->setEnabled(document_.results() != nullptr);
  find_action(*this, "run")->setEnabled(document_.is_open() && !running);
  find_action(*this, "cancel")->setEnabled(running);
  find_action(*this, "copy_command")->setEnabled(document_.is_open());
}

void MainWindow::show_case() {
  case_box_->setCurrentIndex(static_cast<int>(document_.chosen()));
  const auto view = document_.view(document_.chosen());
  // What runs out of memory does so before there is a steady step.
  axis_->set_bounds(view->all(), view->out_of_memory() ? view->all() : view->last_step());
  fabric_->set_view(view);
  details_->set_view(view);
  timeline_->set_view(view);
}

void MainWindow::set_theme(ThemeKind kind) {
  options_.theme = kind;
  apply_theme(*qApp, kind, options_.scale);
}

void MainWindow::scale_by(double factor) {
  constexpr double kLeast = 0.6;
  constexpr double kMost = 3;
  options_.scale = std::clamp(options_.scale * factor, kLeast, kMost);
  apply_theme(*qApp, options_.theme, options_.scale);
}

void MainWindow::switch_byte_unit() {
  const bool binary = byte_unit() == ByteUnit::kBinary;
  set_byte_unit(binary ? ByteUnit::kDecimal : ByteUnit::kBinary);
  for (QWidget* widget : findChildren<QWidget*>()) {  // whoever shows sizes writes them anew
    QEvent change(QEvent::PaletteChange);
    QApplication::sendEvent(widget, &change);
    widget->update();
  }
}

void MainWindow::find_operation() {
  show_tab("timeline");
  timeline_->search().begin();
}

void MainWindow::show_keys() {
  auto* sheet = new ShortcutSheet(window_actions(*this, document_), this);
  sheet->setAttribute(Qt::WA_DeleteOnClose);
  sheet->show();
}

void MainWindow::show_commands() {
  (new CommandPalette(*this))->show();
}

/// Docks are remembered as they were with a scenario, not on the start page.
void MainWindow::closeEvent(QCloseEvent* event) {
  if (!options_.settings.isEmpty()) {
    const QByteArray docks = document_.is_open() ? saveState() : docks_;
    write_settings(options_.settings,
                   {saveGeometry(), docks, options_.theme, options_.scale, recent_});
  }
  QMainWindow::closeEvent(event);
}

}  // namespace heddle::gui
