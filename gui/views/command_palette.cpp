#include "gui/views/command_palette.h"

#include <QAction>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QVBoxLayout>
#include <algorithm>

namespace heddle::gui {

bool matches(const QString& text, const QString& wanted) {
  qsizetype at = 0;
  for (const QChar letter : wanted) {
    if (letter.isSpace()) continue;
    at = text.indexOf(letter, at, Qt::CaseInsensitive) + 1;
    if (at == 0) return false;
  }
  return true;
}

CommandPalette::CommandPalette(QMainWindow& window)
    : QDialog(&window),
      window_(window),
      search_(new QLineEdit(this)),
      list_(new QListWidget(this)) {
  setWindowTitle("Commands");
  setAttribute(Qt::WA_DeleteOnClose);
  resize(460, 340);
  auto* column = new QVBoxLayout(this);
  column->addWidget(search_);
  column->addWidget(list_, 1);
  search_->setPlaceholderText("A few letters of a command");
  search_->setAccessibleName("Command");
  list_->setAccessibleName("Commands");
  list_->setFrameShape(QFrame::NoFrame);
  search_->installEventFilter(this);
  connect(search_, &QLineEdit::textChanged, this, &CommandPalette::fill);
  connect(search_, &QLineEdit::returnPressed, this, &CommandPalette::run_current);
  connect(list_, &QListWidget::itemActivated, this, &CommandPalette::run_current);
  fill();
}

void CommandPalette::fill() {
  list_->clear();
  for (const QAction* menu : window_.menuBar()->actions()) {
    for (const QAction* action : menu->menu()->actions()) {
      const QString text = menu->text() + ": " + action->text();
      if (action->isSeparator() || !action->isEnabled() || !matches(text, search_->text()))
        continue;
      const QString keys = action->shortcut().toString(QKeySequence::NativeText);
      auto* item = new QListWidgetItem(keys.isEmpty() ? text : text + "    " + keys, list_);
      item->setData(Qt::UserRole, action->objectName());
      item->setToolTip(action->statusTip());
    }
  }
  list_->setCurrentRow(0);
}

void CommandPalette::run_current() {
  const QListWidgetItem* item = list_->currentItem();
  if (item == nullptr) return;
  auto* action = window_.findChild<QAction*>(item->data(Qt::UserRole).toString());
  close();
  if (action != nullptr) action->trigger();
}

/// Up and down move through the list while typing goes on.
bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    const int by = key == Qt::Key_Down ? 1 : key == Qt::Key_Up ? -1 : 0;
    if (by != 0) {
      list_->setCurrentRow(std::clamp(list_->currentRow() + by, 0, list_->count() - 1));
      return true;
    }
  }
  return QDialog::eventFilter(watched, event);
}

}  // namespace heddle::gui
