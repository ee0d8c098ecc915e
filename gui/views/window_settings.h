#pragma once
// What the window remembers between runs: places, colours, size of text, recent files. A faulty
// file of settings gives the defaults.

#include <QByteArray>
#include <QString>
#include <QStringList>

#include "gui/views/theme.h"

namespace heddle::gui {

struct WindowSettings {
  QByteArray geometry;
  QByteArray docks;
  ThemeKind theme = ThemeKind::kSystem;
  double scale = 1;
  QStringList recent;  // newest first
};

inline constexpr int kMostRecent = 8;

WindowSettings read_settings(const QString& file);
/// Not written, nothing said: settings are no work of the user's.
void write_settings(const QString& file, const WindowSettings& settings);

}  // namespace heddle::gui
