#pragma once
// Colours and type of the window: two palettes of our own, so that it looks the same on every
// desktop. Views ask theme() when they paint and repaint when the application's palette changes.
//
// Text on its ground has a contrast of at least 4.5. Categories that touch differ in hue and in
// lightness, so that they stay apart without colour vision (tests/gui).

#include <QColor>
#include <QFont>
#include <array>
#include <cstdint>

#include "gui/models/lane_index.h"
#include "gui/models/memory_series.h"
#include "gui/models/step_parts.h"

class QApplication;

namespace heddle::gui {

enum class ThemeKind : std::uint8_t { kSystem, kDark, kLight };

struct Theme {
  bool dark = true;
  QColor window;  // behind everything
  QColor panel;   // plots, tables, lists
  QColor raised;  // headers, buttons, what the pointer is over
  QColor line;    // separators, grid
  QColor text;
  QColor muted;   // units, axis labels
  QColor accent;  // chosen, focus, cursor
  QColor on_accent;
  QColor good;  // fits
  QColor warn;  // too close to call
  QColor bad;   // does not fit, errors
  // Signed differences: orange and blue, told apart without red and green.
  QColor over;   // predicted too much, or more than A
  QColor under;  // predicted too little, or less than A
  std::array<QColor, kPaintCount> paints;
  std::array<QColor, kLayerCount> layers;
  std::array<QColor, kStepPartCount> parts;

  /// Colour of a link that carries `share` of what it can: cold, warm, glowing; alarm above 1.
  QColor load(double share) const;
};

const Theme& theme();
/// Style, palette, fonts and style sheet of `app`; `scale` multiplies all text.
void apply_theme(QApplication& app, ThemeKind kind, double scale);
/// Black or white, whichever reads better on `ground`.
QColor text_on(const QColor& ground);
/// (L1 + 0.05) / (L2 + 0.05) with WCAG's relative luminance.
double contrast(const QColor& a, const QColor& b);

/// The interface's font; `step` is in sixths of its size: -1 for units, +1 for titles.
QFont ui_font(int step = 0, bool strong = false);

}  // namespace heddle::gui
