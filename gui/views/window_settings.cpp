#include "gui/views/window_settings.h"

#include <QSettings>
#include <algorithm>

namespace heddle::gui {

WindowSettings read_settings(const QString& file) {
  const QSettings stored(file, QSettings::IniFormat);
  WindowSettings out;
  if (stored.status() != QSettings::NoError) return out;
  out.geometry = stored.value("geometry").toByteArray();
  out.docks = stored.value("docks").toByteArray();
  const QString theme = stored.value("theme").toString();
  if (theme == "dark") out.theme = ThemeKind::kDark;
  if (theme == "light") out.theme = ThemeKind::kLight;
  bool is_number = false;
  const double scale = stored.value("scale").toDouble(&is_number);
  if (is_number && scale >= 0.5 && scale <= 4) out.scale = scale;
  out.recent = stored.value("recent").toStringList().mid(0, kMostRecent);
  return out;
}

void write_settings(const QString& file, const WindowSettings& settings) {
  QSettings store(file, QSettings::IniFormat);
  store.setValue("geometry", settings.geometry);
  store.setValue("docks", settings.docks);
  constexpr const char* kThemes[] = {"system", "dark", "light"};
  store.setValue("theme", kThemes[static_cast<int>(settings.theme)]);
  store.setValue("scale", settings.scale);
  store.setValue("recent", settings.recent);
}

}  // namespace heddle::gui
