// What MainWindow does with files: opening, dropping, pasting, saving.

#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QStatusBar>
#include <QTabWidget>

#include "gui/models/document.h"
#include "gui/models/edit_journal.h"
#include "gui/models/file_kind.h"
#include "gui/models/machine_drop.h"
#include "gui/models/measurement.h"
#include "gui/models/scenario_save.h"
#include "gui/views/export.h"
#include "gui/views/main_window.h"
#include "gui/views/window_settings.h"

namespace heddle::gui {

void MainWindow::open(const QString& file) {
  switch (kind_of_file(file.toStdString())) {
    case FileKind::kReport:
      return measurement_->open(file.toStdString());
    case FileKind::kMachine:
      if (document_.results()) return open_machine(file);
      [[fallthrough]];
    case FileKind::kScenario:
      document_.open(file.toStdString());
  }
}

/// In the place of the fabric that is shown.
void MainWindow::open_machine(const QString& file) {
  const run::Study& study = document_.results()->study;
  const std::size_t fabric = study.cases()[document_.chosen()].fabric;
  take_machine(drop_machine(study.scenario(), fabric, file.toStdString()));
}

void MainWindow::paste_machine(const QString& text) {
  if (!document_.results()) return;
  const run::Study& study = document_.results()->study;
  const std::size_t fabric = study.cases()[document_.chosen()].fabric;
  const QString folder = options_.settings.isEmpty()
                             ? QDir::temp().filePath("heddle-pasted")
                             : QFileInfo(options_.settings).dir().filePath("pasted");
  take_machine(
      gui::paste_machine(study.scenario(), fabric, text.toStdString(), folder.toStdString()));
}

void MainWindow::take_machine(const MachineDrop& drop) {
  if (drop.problem.empty()) return document_.set(drop.edit.first, drop.edit.second);
  statusBar()->showMessage(QString::fromStdString(drop.problem), 20'000);
}

void MainWindow::browse() {
  const QString file = QFileDialog::getOpenFileName(
      this, "Open", QString::fromStdString(options_.home + "/scenarios"),
      "Scenarios and measurements (*.json);;All files (*)");
  if (!file.isEmpty()) open(file);
}

void MainWindow::save_as() {
  const QString file = QFileDialog::getSaveFileName(
      this, "Save the scenario", QString::fromStdString(document_.file()), "Scenarios (*.json)");
  if (file.isEmpty()) return;
  const std::string problem = save_scenario(document_, file.toStdString());
  if (problem.empty()) return open(file);
  statusBar()->showMessage(QString::fromStdString(problem), 10'000);
}

void MainWindow::save_report() {
  const QString file =
      QFileDialog::getSaveFileName(this, "Save the report", {}, "Reports (*.json)");
  if (file.isEmpty()) return;
  const std::string problem = measurement_->save(file.toStdString());
  statusBar()->showMessage(problem.empty() ? "Wrote " + file : QString::fromStdString(problem),
                           10'000);
}

void MainWindow::export_view() {
  const QString file = QFileDialog::getSaveFileName(this, "Export", {}, export_filters());
  if (file.isEmpty()) return;
  const QString problem = export_file(file, *tabs_->currentWidget(), document_);
  statusBar()->showMessage(problem.isEmpty() ? "Wrote " + file : problem, 10'000);
}

QString MainWindow::journal_folder() const {
  return options_.settings.isEmpty() ? QString() : QFileInfo(options_.settings).absolutePath();
}

void MainWindow::keep_edits() {
  const QString file = QFileInfo(QString::fromStdString(document_.file())).absoluteFilePath();
  const std::string problem = journal_->keep(file.toStdString(), document_.history().edits());
  if (!problem.empty()) statusBar()->showMessage(QString::fromStdString(problem), 10'000);
}

void MainWindow::restore(const LostEdits& lost) {
  auto* once = new QObject(this);
  connect(&document_, &Document::opened, once, [this, once, lost] {
    once->deleteLater();
    if (document_.file() != lost.file) return;
    document_.set_all("restored changes", lost.edits);
    discard(lost);
  });
  open(QString::fromStdString(lost.file));
}

void MainWindow::remember(const QString& file) {
  const QString whole = QFileInfo(file).absoluteFilePath();
  recent_.removeAll(whole);
  recent_.prepend(whole);
  recent_ = recent_.mid(0, kMostRecent);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const QList<QUrl> urls = event->mimeData()->urls();
  if (urls.isEmpty() || !urls.front().isLocalFile()) return;
  event->acceptProposedAction();
  open(urls.front().toLocalFile());
}

}  // namespace heddle::gui
