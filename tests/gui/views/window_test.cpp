#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QAction>
#include <QClipboard>
#include <QDropEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QStatusBar>
#include <QTest>
#include <filesystem>
#include <set>

#include "gui/models/case_view.h"
#include "gui/models/time_axis.h"
#include "gui/views/actions.h"
#include "gui/views/command_palette.h"
#include "gui/views/fabric_view.h"
#include "gui/views/problems_panel.h"
#include "gui/views/shortcut_sheet.h"
#include "sim/base/rng.h"
#include "tests/gui/views/founding_window.h"

namespace heddle::gui {
namespace {

using testing::HasSubstr;

constexpr const char* kFounding = "mistral-7b-4xh200.json";

TEST(Window, EveryActionHasATipAndAShortcutOfItsOwn) {
  test::FoundingWindow founding(kFounding);
  std::set<QString> shortcuts;
  int actions = 0;
  for (QAction* menu : founding.window.menuBar()->actions()) {
    for (QAction* action : menu->menu()->actions()) {
      if (action->isSeparator()) continue;
      ++actions;
      EXPECT_FALSE(action->text().isEmpty());
      EXPECT_FALSE(action->statusTip().isEmpty()) << action->text().toStdString();
      const QString keys = action->shortcut().toString();
      EXPECT_TRUE(keys.isEmpty() || shortcuts.insert(keys).second) << keys.toStdString();
    }
  }
  EXPECT_GT(actions, 12);
}

TEST(Window, WhatTakesFocusHasAName) {
  test::FoundingWindow founding(kFounding);
  for (const QString& tab : founding.window.tab_names()) {
    founding.window.show_tab(tab);
    test::settle();
    for (const QWidget* widget : founding.window.findChildren<QWidget*>()) {
      if (!widget->isVisible() || (widget->focusPolicy() & Qt::TabFocus) == 0) continue;
      const auto* button = qobject_cast<const QAbstractButton*>(widget);
      const bool named =
          !widget->accessibleName().isEmpty() || (button && !button->text().isEmpty());
      EXPECT_TRUE(named) << widget->metaObject()->className() << " in " << tab.toStdString();
    }
  }
}

TEST(Window, CommandsAreFoundByAFewLettersAndRun) {
  EXPECT_TRUE(matches("View: Reset layout", "rslay"));
  EXPECT_FALSE(matches("View: Reset layout", "layrs"));
  test::FoundingWindow founding(kFounding);
  find_action(founding.window, "commands")->trigger();
  auto* palette = founding.window.findChild<CommandPalette*>();
  ASSERT_NE(palette, nullptr);
  auto* search = palette->findChild<QLineEdit*>();
  QTest::keyClicks(search, "light");
  QTest::keyClick(search, Qt::Key_Return);
  EXPECT_FALSE(theme().dark);
  find_action(founding.window, "dark")->trigger();
  find_action(founding.window, "keys")->trigger();
  EXPECT_NE(founding.window.findChild<ShortcutSheet*>(), nullptr);
}

TEST(Window, ARankDraggedOntoAnotherGpuRunsThere) {
  test::FoundingWindow founding(kFounding);
  founding.document.choose("across-quads/fsdp");
  founding.window.show_tab("fabric");
  test::settle();
  auto* fabric = founding.window.findChild<FabricView*>();
  const auto centre_of = [&](const std::string& name) {
    const auto view = founding.document.view(founding.document.chosen());
    const auto& vertices = fabric->layout_of_devices().vertices;
    for (std::size_t v = 0; v < vertices.size(); ++v) {
      if (view->fabric().device(vertices[v].device).name == name) {
        return fabric->vertex_rect(v).center().toPoint();
      }
    }
    return QPoint();
  };
  QTest::mousePress(fabric, Qt::LeftButton, {}, centre_of("gpu5"));
  QTest::mouseMove(fabric, centre_of("gpu2"));
  QTest::mouseRelease(fabric, Qt::LeftButton, {}, centre_of("gpu2"));
  test::wait_for_run(founding.document);
  ASSERT_NE(founding.document.history().find("fabrics.2.gpus"), nullptr);
  EXPECT_EQ(*founding.document.history().find("fabrics.2.gpus"), "[0, 1, 4, 2]");
}

TEST(Window, CopiesTheCommand) {
  test::FoundingWindow founding(kFounding);
  founding.document.set("training.micro_batch", "2");
  find_action(founding.window, "copy_command")->trigger();
  EXPECT_EQ(QApplication::clipboard()->text().toStdString(), founding.document.command_line());
}

TEST(Window, FaultyFileIsExplainedInTheWindow) {
  test::FoundingWindow founding(kFounding);
  founding.window.open(QString::fromStdString(test::source_path("tests/bad/unknown-keys.json")));
  test::wait_for_run(founding.document);
  test::settle();
  const auto* problems = founding.window.findChild<ProblemsPanel*>();
  ASSERT_NE(problems, nullptr);
  EXPECT_TRUE(problems->isVisible());
  EXPECT_GT(problems->error_count(), 0);
  EXPECT_THAT(problems->toPlainText().toStdString(), HasSubstr("unknown-keys.json:"));
}

/// Files that hold no scenario at all, dropped: a message each, and nothing changes.
TEST(Window, SurvivesWhateverIsDropped) {
  test::FoundingWindow founding(kFounding);
  const std::string file = founding.document.file();
  const ResultsPtr before = founding.document.results();
  for (const char* name : {"tests/bad/empty-file.json", "tests/bad/nested-too-deep.json", "LICENSE",
                           "tests", "no-such-file"}) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(QString::fromStdString(test::source_path(name)))});
    QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&founding.window, &enter);
    QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&founding.window, &drop);
    EXPECT_TRUE(drop.isAccepted());
    ASSERT_TRUE(test::wait_for_run(founding.document));
    test::settle();
    const QString said = founding.window.statusBar()->currentMessage();
    const std::string plain = std::filesystem::path(name).filename();
    const bool named = founding.document.diagnostics().has_errors() ||
                       said.contains(QString::fromStdString(plain));
    EXPECT_TRUE(named) << name << ": " << said.toStdString();
    EXPECT_TRUE(founding.document.history().edits().empty());
    EXPECT_EQ(founding.document.file(), file);
    EXPECT_EQ(founding.document.results(), before);
  }
}

TEST(Window, RandomWalkThroughViewsSizesAndThemes) {
  test::FoundingWindow founding(kFounding);
  Rng rng(1);
  TimeAxis& axis = founding.window.axis();
  const QStringList tabs = founding.window.tab_names();
  for (int i = 0; i < 400; ++i) {
    switch (rng.uniform_int(0, 8)) {
      case 0:
        founding.window.show_tab(tabs[rng.uniform_int(0, tabs.size() - 1)]);
        break;
      case 1:
        founding.window.resize(static_cast<int>(rng.uniform_int(320, 2200)),
                               static_cast<int>(rng.uniform_int(240, 1300)));
        break;
      case 2:
        find_action(founding.window, rng.chance(0.5) ? "dark" : "light")->trigger();
        break;
      case 3:
        founding.document.choose(static_cast<std::size_t>(rng.uniform_int(0, 14)));
        break;
      case 4:
        axis.set_cursor(rng.uniform() * axis.bounds().end);
        break;
      case 5:
        axis.set_selection(Span{axis.range().begin, axis.range().end});
        break;
      case 6:
        axis.pan(rng.uniform() - 0.5);
        break;
      default:
        axis.zoom(rng.uniform() * 3 + 0.1,
                  axis.range().begin + rng.uniform() * axis.range().length());
    }
    if (i % 10 == 0) founding.window.grab();
    ASSERT_GE(axis.range().begin, axis.bounds().begin);
    ASSERT_LE(axis.range().end, axis.bounds().end * (1 + 1e-12));
    ASSERT_GT(axis.range().length(), 0);
  }
  find_action(founding.window, "dark")->trigger();
}

}  // namespace
}  // namespace heddle::gui
