#pragma once
// What the palette cannot say: shapes, spacing and states of the stock widgets.

#include <QString>

namespace heddle::gui {

struct Theme;
QString style_sheet(const Theme& theme);

}  // namespace heddle::gui
