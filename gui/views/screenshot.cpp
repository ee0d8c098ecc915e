#include "gui/views/screenshot.h"

#include <QCoreApplication>
#include <QDir>
#include <QEventLoop>
#include <QPixmap>
#include <QTableView>

#include "gui/models/case_view.h"
#include "gui/models/document.h"
#include "gui/models/measurement.h"
#include "gui/models/place_rows.h"
#include "gui/models/placements.h"
#include "gui/models/sweep.h"
#include "gui/models/time_axis.h"
#include "gui/views/main_window.h"
#include "gui/views/placement_view.h"
#include "gui/views/sweep_view.h"

namespace heddle::gui {
namespace {

void wait_for(Document& document) {
  if (!document.is_running()) return;
  QEventLoop loop;
  QObject::connect(&document, &Document::run_ended, &loop, &QEventLoop::quit);
  loop.exec();
}

QString problems_of(MainWindow& window, const Document& document) {
  QString text;
  for (const Diagnostics* found : {&document.diagnostics(), &window.measurement().diagnostics()}) {
    for (const Diagnostic& d : found->all()) {
      if (d.severity == Severity::kError) text += QString::fromStdString(format(d)) + '\n';
    }
  }
  return text.isEmpty() ? "nothing was computed" : text.trimmed();
}

/// The last along the picture, as on the command line.
QString run_sweep(MainWindow& window, const QStringList& vary) {
  window.sweep().start(vary.back(), vary.size() > 1 ? vary.front() : QString());
  Sweep& sweep = window.sweep().sweep();
  QEventLoop loop;
  QObject::connect(&sweep, &Sweep::changed, &loop, [&] {
    if (!sweep.is_running()) loop.quit();
  });
  if (sweep.is_running()) loop.exec();
  return sweep.answer() == nullptr ? "the sweep failed: " + QString::fromStdString(sweep.problem())
                                   : QString();
}

/// Its tab would be empty; the worst is compared with the best.
void rank_placements(MainWindow& window) {
  PlacementView& view = window.placement();
  view.start();
  Placements& placements = view.placements();
  QEventLoop loop;
  QObject::connect(&placements, &Placements::changed, &loop, [&] {
    if (!placements.is_running()) loop.quit();
  });
  if (placements.is_running()) loop.exec();
  view.pin_chosen();
  view.list().selectRow(view.rows().rowCount() - 1);
}

void place_cursor(MainWindow& window, const Document& document, double share) {
  if (share < 0) return;
  const Span step = document.view(document.chosen())->last_step();
  window.axis().set_cursor(step.begin + share * step.length());
}

QString take_picture(MainWindow& window, const QString& tab, const ScreenshotRequest& request) {
  if (!window.show_tab(tab)) {
    return QString("no tab %1; there are: %2").arg(tab, window.tab_names().join(", "));
  }
  QCoreApplication::processEvents();
  const QString file = QString("%1/%2-%3.png").arg(request.folder, tab, request.theme);
  return window.grab().save(file) ? QString() : "cannot write " + file;
}

}  // namespace

QString take_screenshots(MainWindow& window, Document& document, const ScreenshotRequest& request) {
  wait_for(document);
  const bool measured = window.measurement().report() != nullptr;
  if (!document.results() && !measured) return problems_of(window, document);
  if (!request.case_id.isEmpty() && !document.choose(request.case_id.toStdString())) {
    return "no case " + request.case_id;
  }
  window.resize(request.size);
  window.show();
  if (!request.vary.isEmpty() && document.results()) {
    const QString problem = run_sweep(window, request.vary);
    if (!problem.isEmpty()) return problem;
  }
  if (!QDir().mkpath(request.folder)) return "cannot make " + request.folder;
  QStringList tabs = request.tabs;
  if (tabs.isEmpty()) tabs = document.results() ? window.tab_names() : QStringList("measured");
  if (tabs.contains("placement") && document.results()) rank_placements(window);
  for (const QString& tab : tabs) {
    if (document.results()) place_cursor(window, document, request.cursor);
    const QString problem = take_picture(window, tab, request);
    if (!problem.isEmpty()) return problem;
  }
  return "";
}

}  // namespace heddle::gui
