#pragma once
// Every key and gesture on one page: the menus' own, and those of the plots.

#include <QDialog>
#include <vector>

#include "gui/views/actions.h"

namespace heddle::gui {

class ShortcutSheet : public QDialog {
  Q_OBJECT
 public:
  ShortcutSheet(const std::vector<ActionSpec>& actions, QWidget* parent);
};

}  // namespace heddle::gui
