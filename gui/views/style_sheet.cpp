#include "gui/views/style_sheet.h"

#include <utility>

#include "gui/views/theme.h"

namespace heddle::gui {
namespace {

// $name stands for a colour of the theme.
constexpr const char* kSheet = R"(
QMainWindow::separator { background: $line; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: $accent; }
QMenuBar { background: $window; padding: 2px 4px; border-bottom: 1px solid $line; }
QMenuBar::item { padding: 4px 9px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected { background: $raised; }
QMenu { background: $panel; border: 1px solid $line; padding: 5px; }
QMenu::item { padding: 5px 26px 5px 14px; border-radius: 4px; }
QMenu::item:selected { background: $raised; color: $text; }
QMenu::item:disabled { color: $muted; }
QMenu::separator { height: 1px; background: $line; margin: 5px 8px; }
QToolBar { background: $window; border: none; border-bottom: 1px solid $line; spacing: 4px; padding: 5px 8px; }
QToolBar QToolButton { padding: 4px 10px; border-radius: 5px; border: 1px solid transparent; }
QToolBar QToolButton:hover { background: $raised; }
QToolBar QToolButton:focus { border-color: $accent; }
QToolBar QToolButton:disabled { color: $muted; }
QToolBar QToolButton#primary { background: $accent; color: $on_accent; }
QToolBar QToolButton#primary:disabled { background: $raised; color: $muted; }
QPushButton { background: $raised; border: 1px solid $line; border-radius: 5px; padding: 5px 14px; }
QPushButton:hover { border-color: $muted; }
QPushButton:focus { border-color: $accent; }
QTabWidget::pane { border: none; border-top: 1px solid $line; }
QTabBar { background: $window; qproperty-drawBase: 0; }
QTabBar::tab { background: transparent; color: $muted; padding: 7px 16px 6px; border: none; border-bottom: 2px solid transparent; }
QTabBar::tab:hover { color: $text; }
QTabBar::tab:selected { color: $text; border-bottom-color: $accent; }
QDockWidget { titlebar-close-icon: none; titlebar-normal-icon: none; }
QDockWidget::title { background: $window; padding: 7px 10px 6px; border-bottom: 1px solid $line; text-align: left; }
QStatusBar { background: $window; border-top: 1px solid $line; color: $muted; }
QStatusBar::item { border: none; }
QStatusBar QLabel { color: $muted; padding: 1px 8px; }
QHeaderView { background: $panel; border: none; }
QHeaderView::section { background: $panel; color: $muted; border: none; border-bottom: 1px solid $line; padding: 5px 7px; }
QTableView, QTreeView, QListView, QPlainTextEdit, QScrollArea { background: $panel; border: none; selection-background-color: $raised; selection-color: $text; }
QTableView { gridline-color: transparent; }
QTreeView::item { padding: 3px 2px; border: none; }
QTreeView::item:hover { background: $raised; }
QTreeView::item:selected { background: $raised; color: $text; }
QTreeView::branch:selected { background: $raised; }
QLineEdit { background: $panel; border: 1px solid $line; border-radius: 5px; padding: 4px 8px; selection-background-color: $accent; selection-color: $on_accent; }
QTreeView QLineEdit { border-radius: 0px; padding: 0px 3px; border-color: $accent; }
QLineEdit:focus { border-color: $accent; }
QComboBox QAbstractItemView { background: $panel; border: 1px solid $line; selection-background-color: $raised; selection-color: $text; padding: 4px; }
QToolTip { background: $raised; color: $text; border: 1px solid $line; padding: 6px 8px; }
QSplitter::handle { background: $line; }
QSplitter::handle:vertical { height: 1px; }
QSplitter::handle:horizontal { width: 1px; }
QProgressBar { background: $raised; border: none; border-radius: 3px; max-height: 6px; text-align: center; }
QProgressBar::chunk { background: $accent; border-radius: 3px; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0px; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0px; }
QScrollBar::handle { background: $line; border-radius: 4px; min-height: 28px; min-width: 28px; margin: 1px; }
QScrollBar::handle:hover { background: $muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0px; height: 0px; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
)";

}  // namespace

QString style_sheet(const Theme& theme) {
  QString sheet = QString::fromLatin1(kSheet);
  // Longer names first where one begins another.
  const std::pair<const char*, QColor> names[] = {
      {"$on_accent", theme.on_accent}, {"$accent", theme.accent}, {"$window", theme.window},
      {"$panel", theme.panel},         {"$raised", theme.raised}, {"$line", theme.line},
      {"$text", theme.text},           {"$muted", theme.muted},
  };
  for (const auto& [name, color] : names) sheet.replace(QLatin1String(name), color.name());
  return sheet;
}

}  // namespace heddle::gui
