#pragma once
// Every action of the menus by a few letters of its name.

#include <QDialog>

class QLineEdit;
class QListWidget;
class QMainWindow;

namespace heddle::gui {

/// Whether the letters of `wanted` occur in `text` in their order, whatever their case.
bool matches(const QString& text, const QString& wanted);

class CommandPalette : public QDialog {
  Q_OBJECT
 public:
  explicit CommandPalette(QMainWindow& window);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fill();
  void run_current();

  QMainWindow& window_;
  QLineEdit* search_;
  QListWidget* list_;
};

}  // namespace heddle::gui
