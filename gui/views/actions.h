#pragma once
// Everything the menus can do, in one table: menus, toolbar, shortcut sheet and tests read it.

#include <QKeySequence>
#include <QString>
#include <functional>
#include <vector>

class QAction;
class QMainWindow;

namespace heddle::gui {

struct ActionSpec {
  QString menu;  // "File"
  QString text;  // "Open..."
  QString tip;   // a sentence for the status bar
  QKeySequence keys;
  std::function<void()> run;
  QString name = {};  // to find it again
};

/// Menus in the order of first mention; an empty text is a separator.
void add_menus(QMainWindow& window, const std::vector<ActionSpec>& specs);
/// Of add_menus(); null if there is no such name.
QAction* find_action(const QMainWindow& window, const QString& name);

}  // namespace heddle::gui
