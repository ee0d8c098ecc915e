#pragma once
// The window on a scenario of this repository, without a screen.

#include <QApplication>

#include "gui/views/main_window.h"
#include "tests/gui/founding_document.h"

namespace heddle::test {

/// Layout, painting and posted events of what was done so far.
inline void settle() {
  for (int i = 0; i < 3; ++i) QApplication::processEvents();
}

struct FoundingWindow {
  explicit FoundingWindow(const std::string& scenario, QSize size = {1366, 768}) {
    window.resize(size);
    window.show();
    window.open(QString::fromStdString(source_path("scenarios/" + scenario)));
    wait_for_run(founding.document);
    settle();
  }

  FoundingDocument founding;
  gui::Document& document = founding.document;
  gui::MainWindow window{document, {HEDDLE_SOURCE_DIR, gui::ThemeKind::kDark, 1}};
};

}  // namespace heddle::test
