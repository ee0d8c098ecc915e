#include "gui/views/actions.h"

#include <QAction>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <map>

namespace heddle::gui {

void add_menus(QMainWindow& window, const std::vector<ActionSpec>& specs) {
  std::map<QString, QMenu*> menus;
  for (const ActionSpec& spec : specs) {
    QMenu*& menu = menus[spec.menu];
    if (menu == nullptr) menu = window.menuBar()->addMenu(spec.menu);
    if (spec.text.isEmpty()) {
      menu->addSeparator();
      continue;
    }
    QAction* action = menu->addAction(spec.text);
    action->setObjectName(spec.name.isEmpty() ? spec.text : spec.name);
    action->setStatusTip(spec.tip);
    action->setShortcut(spec.keys);
    QObject::connect(action, &QAction::triggered, &window, spec.run);
  }
}

QAction* find_action(const QMainWindow& window, const QString& name) {
  return window.findChild<QAction*>(name);
}

}  // namespace heddle::gui
