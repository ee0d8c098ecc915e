#include "gui/views/tool_tip.h"

#include <QHelpEvent>
#include <QToolTip>

namespace heddle::gui {

void show_tip(const QHelpEvent& help, const QString& text, QWidget& view) {
  if (text.isEmpty()) {
    QToolTip::hideText();
  } else {
    QToolTip::showText(help.globalPos(), text, &view);
  }
}

}  // namespace heddle::gui
