#pragma once
// The window: views of one document as tabs, docks around them, menus, and files dropped on it.

#include <QMainWindow>
#include <string>

#include "gui/views/theme.h"

class QDockWidget;
class QLabel;
class QProgressBar;
class QStackedWidget;
class QTabWidget;
class QComboBox;

namespace heddle::gui {

class Document;
class DetailsPanel;
class EditJournal;
class FabricView;
class MeasuredView;
class Pick;
class PlacementView;
class SweepView;
class Measurement;
class TimeAxis;
class TimelineView;
struct LostEdits;
struct MachineDrop;

struct WindowOptions {
  std::string home;  // holds scenarios/
  ThemeKind theme = ThemeKind::kSystem;
  double scale = 1;
  QString settings = {};  // file of what is remembered; empty: nothing is
  QString program = {};   // heddle, which measures; empty: beside this program
};

class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  MainWindow(Document& document, const WindowOptions& options);
  ~MainWindow() override;

  /// "strategies", "timeline", "memory", "fabric", "measured"; false for other names.
  bool show_tab(const QString& name);
  QStringList tab_names() const;
  TimeAxis& axis() { return *axis_; }
  Measurement& measurement() { return *measurement_; }
  SweepView& sweep() { return *sweep_; }
  PlacementView& placement() { return *placement_; }
  /// A scenario, a validator's report, or the text of a machine for the fabric that is shown.
  void open(const QString& file);
  void browse();
  void reset_layout();
  /// "Scenario", "Details", "Problems".
  void toggle_dock(const QString& title);
  void set_theme(ThemeKind kind);
  void scale_by(double factor);
  /// GB and GiB, in every view but the tables of `heddle run`.
  void switch_byte_unit();
  /// Asks for a file, then writes the view that is in front, or the answer.
  void export_view();
  /// Asks for a file beside the one that is open; that one is then open.
  void save_as();
  /// Asks for a file, then copies the report that is open.
  void save_report();
  void find_operation();
  /// A topology's text in the place of the fabric that is shown.
  void paste_machine(const QString& text);
  void show_keys();
  void show_commands();

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void closeEvent(QCloseEvent* event) override;

 private:
  void add_views();
  void add_start_page();
  void add_measured();
  void show_tabs();
  void open_machine(const QString& file);
  void take_machine(const MachineDrop& drop);
  void add_docks();
  QDockWidget* add_dock(const QString& title, QWidget* content, Qt::DockWidgetArea area);
  void add_tool_bar();
  void add_status();
  void show_state();
  void show_case();
  void remember(const QString& file);
  /// Where changes that are not saved are kept; "" if nothing is.
  QString journal_folder() const;
  void keep_edits();
  /// Opens the file and makes the changes again; only then they are no longer lost.
  void restore(const LostEdits& lost);

  Document& document_;
  WindowOptions options_;
  TimeAxis* axis_;
  Pick* pick_;
  QStackedWidget* pages_ = nullptr;
  QTabWidget* tabs_ = nullptr;
  TimelineView* timeline_ = nullptr;
  FabricView* fabric_ = nullptr;
  SweepView* sweep_ = nullptr;
  PlacementView* placement_ = nullptr;
  Measurement* measurement_ = nullptr;
  MeasuredView* measured_ = nullptr;
  DetailsPanel* details_ = nullptr;
  QDockWidget* scenario_dock_ = nullptr;
  QDockWidget* details_dock_ = nullptr;
  QDockWidget* problems_dock_ = nullptr;
  bool scenario_seen_ = false;
  QByteArray docks_;    // as they were when the window was last closed
  QStringList recent_;  // files
  std::unique_ptr<EditJournal> journal_;
  QComboBox* case_box_ = nullptr;
  QLabel* state_ = nullptr;
  QLabel* seed_ = nullptr;
  QProgressBar* progress_ = nullptr;
};

}  // namespace heddle::gui
