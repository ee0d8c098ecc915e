#pragma once
// The table of what the window's menus do.

#include <vector>

#include "gui/views/actions.h"

namespace heddle::gui {

class Document;
class MainWindow;

std::vector<ActionSpec> window_actions(MainWindow& window, Document& document);

}  // namespace heddle::gui
