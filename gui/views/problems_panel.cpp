#include "gui/views/problems_panel.h"

#include "gui/models/document.h"
#include "gui/views/theme.h"
#include "sim/cli/messages.h"

namespace heddle::gui {

ProblemsPanel::ProblemsPanel(Document& document, QWidget* parent)
    : QPlainTextEdit(parent), document_(document) {
  setReadOnly(true);
  setFrameShape(QFrame::NoFrame);
  setAccessibleName("Problems");
  connect(&document_, &Document::run_ended, this, &ProblemsPanel::refresh);
  connect(&document_, &Document::opened, this, &ProblemsPanel::refresh);
}

/// Errors first: they are why there is no answer.
void ProblemsPanel::refresh() {
  const Diagnostics& diagnostics = document_.diagnostics();
  errors_ = diagnostics.error_count();
  QString said = QString::fromStdString(cli::count_text(diagnostics));
  for (const Severity severity : {Severity::kError, Severity::kWarning, Severity::kNote}) {
    for (const Diagnostic& d : diagnostics.all()) {
      if (d.severity == severity) said += "\n\n" + QString::fromStdString(format(d));
    }
  }
  setPlainText(said);
}

}  // namespace heddle::gui
