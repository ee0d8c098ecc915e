#include "gui/views/window_settings.h"

#include <gtest/gtest.h>

#include <QDockWidget>
#include <QFile>
#include <QPushButton>
#include <QTemporaryDir>

#include "gui/models/edit_journal.h"
#include "tests/gui/views/founding_window.h"

namespace heddle::gui {
namespace {

struct RememberingWindow {
  explicit RememberingWindow(const QString& settings)
      : window(document, {HEDDLE_SOURCE_DIR, ThemeKind::kSystem, 1, settings}) {
    window.show();
    window.open(QString::fromStdString(test::source_path("scenarios/mistral-7b-4xa100.json")));
    test::wait_for_run(document);
    test::settle();
  }
  QDockWidget* dock(const char* name) { return window.findChild<QDockWidget*>(name); }

  test::FoundingDocument founding;
  Document& document = founding.document;
  MainWindow window;
};

class Settings : public testing::Test {
 protected:
  QTemporaryDir folder_;
  QString file_ = folder_.filePath("window.ini");
};

TEST_F(Settings, DocksAreWhereTheyWereLeft) {
  {
    RememberingWindow first(file_);
    first.window.addDockWidget(Qt::RightDockWidgetArea, first.dock("scenario_dock"));
    first.dock("details_dock")->show();
    first.window.set_theme(ThemeKind::kLight);
    first.window.close();
  }
  RememberingWindow second(file_);
  EXPECT_EQ(second.window.dockWidgetArea(second.dock("scenario_dock")), Qt::RightDockWidgetArea);
  EXPECT_TRUE(second.dock("details_dock")->isVisible());
  EXPECT_FALSE(theme().dark);
  second.window.reset_layout();
  EXPECT_EQ(second.window.dockWidgetArea(second.dock("scenario_dock")), Qt::LeftDockWidgetArea);
  apply_theme(*qApp, ThemeKind::kDark, 1);
}

TEST_F(Settings, RecentFilesAreNewestFirstAndFew) {
  WindowSettings settings;
  for (int i = 0; i < 20; ++i) settings.recent << QString::number(i);
  write_settings(file_, settings);
  EXPECT_EQ(read_settings(file_).recent.size(), kMostRecent);
  EXPECT_EQ(read_settings(file_).recent.front(), "0");
}

TEST_F(Settings, FaultySettingsAreTheDefaults) {
  QFile out(file_);
  ASSERT_TRUE(out.open(QIODevice::WriteOnly));
  out.write("[General]\ngeometry=@ByteArray(\\0\\xff garbage\nscale=huge\ntheme=pink\n\x01\x02[");
  out.close();
  const WindowSettings settings = read_settings(file_);
  EXPECT_EQ(settings.scale, 1);
  EXPECT_EQ(settings.theme, ThemeKind::kSystem);
  RememberingWindow window(file_);
  EXPECT_TRUE(window.window.isVisible());
  EXPECT_EQ(read_settings(folder_.filePath("absent.ini")).scale, 1);
}

/// As left by a program that was killed: a journal that nobody holds.
TEST_F(Settings, ChangesThatACrashLeftAreOffered) {
  const std::string scenario = test::source_path("scenarios/mistral-7b-4xa100.json");
  const Edits edits = {{"training.micro_batch", "2"}};
  QFile journal(folder_.filePath("edits-1.json"));
  ASSERT_TRUE(journal.open(QIODevice::WriteOnly));
  journal.write((R"({"schema": "heddle.edits/1", "file": ")" + scenario +
                 R"(", "edits": [{"path": "training.micro_batch", "value": "2"}]})")
                    .c_str());
  journal.close();
  test::FoundingDocument founding;
  MainWindow window(founding.document, {HEDDLE_SOURCE_DIR, ThemeKind::kSystem, 1, file_});
  window.show();
  QPushButton* restore = nullptr;
  for (QPushButton* button : window.findChildren<QPushButton*>()) {
    if (button->text() == "Restore 1 change of mistral-7b-4xa100.json") restore = button;
  }
  ASSERT_NE(restore, nullptr);
  restore->click();
  test::wait_for_run(founding.document);
  test::settle();
  test::wait_for_run(founding.document);
  EXPECT_EQ(founding.document.history().edits(), edits);
  EXPECT_EQ(founding.document.history().undo_name(), "restored changes");
  EXPECT_FALSE(journal.exists());
  EXPECT_TRUE(QFile::exists(folder_.filePath("edits-2.json")));  // this window's own
  EXPECT_TRUE(find_lost_edits(folder_.path()).empty());
}

}  // namespace
}  // namespace heddle::gui
