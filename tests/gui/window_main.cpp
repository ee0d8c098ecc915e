// Windows without a screen.

#include <gtest/gtest.h>

#include <QApplication>
#include <QTemporaryDir>

#include "gui/views/theme.h"

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  const QTemporaryDir runtime;  // else Qt complains where there is no session
  qputenv("XDG_RUNTIME_DIR", runtime.path().toLocal8Bit());
  testing::InitGoogleTest(&argc, argv);
  QApplication app(argc, argv);
  heddle::gui::apply_theme(app, heddle::gui::ThemeKind::kDark, 1);
  return RUN_ALL_TESTS();
}
