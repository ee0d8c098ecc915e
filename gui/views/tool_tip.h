#pragma once
// What a view says about the thing under the mouse.

class QHelpEvent;
class QString;
class QWidget;

namespace heddle::gui {

/// Shows `text` where the mouse is; without text the tip goes.
void show_tip(const QHelpEvent& help, const QString& text, QWidget& view);

}  // namespace heddle::gui
