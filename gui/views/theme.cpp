#include "gui/views/theme.h"

#include <QApplication>
#include <QFontDatabase>
#include <QPalette>
#include <QStyle>
#include <QStyleFactory>
#include <algorithm>
#include <cmath>

#include "gui/views/style_sheet.h"

namespace heddle::gui {
namespace {

double ui_scale = 1;
Theme current;

QColor hex(unsigned rgb) {
  return QColor::fromRgb(rgb);
}

template <std::size_t N>
std::array<QColor, N> colors(const std::array<unsigned, N>& rgb) {
  std::array<QColor, N> out;
  std::transform(rgb.begin(), rgb.end(), out.begin(), hex);
  return out;
}

void set_data_colors(Theme& t) {
  t.paints = colors<kPaintCount>({0x7b8794, 0x5b95d6, 0x9fc3ea, 0x35a08a, 0xb8a13a, 0xa083d6,
                                  0x7b8794, 0xe2725f, 0xe5a54b, 0xd9608a, 0xc9b458, 0xb5493d});
  t.layers = colors<kLayerCount>({0x606c7c, 0x5290d6, 0xea9368, 0x8661ac, 0x3cb192, 0x8fc0ee,
                                  0xea6981, 0xa99936, 0xe9c95f, 0x9ea9b9, 0x3a424e});
  t.parts = colors<kStepPartCount>(
      {0x5290d6, 0x86b7ea, 0xbdd8f3, 0x8661ac, 0xe2725f, 0xe5bd57, 0x7d8897});
  if (t.dark) return;
  t.paints[static_cast<std::size_t>(Paint::kWait)] = hex(0xe79c8f);
  t.layers[kCachedLayer] = hex(0xd3d8df);
}

Theme dark_theme() {
  Theme t;
  t.dark = true;
  t.window = hex(0x12151a);
  t.panel = hex(0x181c22);
  t.raised = hex(0x222831);
  t.line = hex(0x2d343f);
  t.text = hex(0xe7eaef);
  t.muted = hex(0x9aa4b2);
  t.accent = hex(0xf0b45a);
  t.on_accent = hex(0x1a1408);
  t.good = hex(0x62c59a);
  t.warn = hex(0xf0b45a);
  t.bad = hex(0xf0786a);
  t.over = hex(0xeda35a);
  t.under = hex(0x6eaaf0);
  set_data_colors(t);
  return t;
}

Theme light_theme() {
  Theme t;
  t.dark = false;
  t.window = hex(0xf1f3f6);
  t.panel = hex(0xffffff);
  t.raised = hex(0xe6eaef);
  t.line = hex(0xd5dae1);
  t.text = hex(0x1c2128);
  t.muted = hex(0x586271);
  t.accent = hex(0x935405);
  t.on_accent = hex(0xffffff);
  t.good = hex(0x15724a);
  t.warn = hex(0x8f5a00);
  t.bad = hex(0xb93324);
  t.over = hex(0x9c4a00);
  t.under = hex(0x1a5fb4);
  set_data_colors(t);
  return t;
}

QPalette palette_of(const Theme& t) {
  QPalette p;
  p.setColor(QPalette::Window, t.window);
  p.setColor(QPalette::WindowText, t.text);
  p.setColor(QPalette::Base, t.panel);
  p.setColor(QPalette::AlternateBase, t.raised);
  p.setColor(QPalette::Text, t.text);
  p.setColor(QPalette::PlaceholderText, t.muted);
  p.setColor(QPalette::Button, t.raised);
  p.setColor(QPalette::ButtonText, t.text);
  p.setColor(QPalette::BrightText, t.bad);
  p.setColor(QPalette::Highlight, t.accent);
  p.setColor(QPalette::HighlightedText, t.on_accent);
  p.setColor(QPalette::ToolTipBase, t.raised);
  p.setColor(QPalette::ToolTipText, t.text);
  p.setColor(QPalette::Link, t.accent);
  p.setColor(QPalette::Mid, t.line);
  p.setColor(QPalette::Dark, t.line);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    p.setColor(QPalette::Disabled, role, t.dark ? hex(0x5f6875) : hex(0x9aa3af));
  }
  return p;
}

bool system_is_dark() {
  const QPalette system = QApplication::style()->standardPalette();
  return system.color(QPalette::Window).lightness() < 128;
}

double luminance(const QColor& c) {
  const auto linear = [](double v) {
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
}

QColor mix(const QColor& a, const QColor& b, double share) {
  const auto part = [share](int x, int y) {
    return static_cast<int>(std::lround(x + (y - x) * share));
  };
  return {part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue())};
}

}  // namespace

const Theme& theme() {
  return current;
}

QColor Theme::load(double share) const {
  if (share <= 0) return mix(line, muted, 0.35);
  if (share > 1.001) return bad;
  const QColor cold = dark ? hex(0x3f78b8) : hex(0x7fa9d8);
  const QColor warm = dark ? hex(0xe5a54b) : hex(0xd08a1d);
  const QColor hot = dark ? hex(0xff6f4e) : hex(0xc8301c);
  return share < 0.5 ? mix(cold, warm, share * 2) : mix(warm, hot, share * 2 - 1);
}

QFont ui_font(int step, bool strong) {
  static const QString family = [] {
    const QStringList known = QFontDatabase::families();
    for (const char* name : {"Open Sans", "Noto Sans", "DejaVu Sans"}) {
      if (known.contains(QLatin1String(name))) return QString::fromLatin1(name);
    }
    return QFontDatabase::systemFont(QFontDatabase::GeneralFont).family();
  }();
  QFont font(family);
  font.setPixelSize(std::max(8, static_cast<int>(std::lround((12 + 2 * step) * ui_scale))));
  if (strong) font.setWeight(QFont::DemiBold);
  return font;
}

void apply_theme(QApplication& app, ThemeKind kind, double scale) {
  QApplication::setStyle(QStyleFactory::create("Fusion"));
  const bool dark = kind == ThemeKind::kDark || (kind == ThemeKind::kSystem && system_is_dark());
  current = dark ? dark_theme() : light_theme();
  ui_scale = scale;
  QApplication::setFont(ui_font());
  QApplication::setPalette(palette_of(current));
  app.setStyleSheet(style_sheet(current));
}

double contrast(const QColor& a, const QColor& b) {
  const double x = luminance(a) + 0.05;
  const double y = luminance(b) + 0.05;
  return std::max(x, y) / std::min(x, y);
}

QColor text_on(const QColor& ground) {
  const QColor dark(0x10, 0x14, 0x1a);
  return contrast(ground, dark) > contrast(ground, Qt::white) ? dark : QColor(Qt::white);
}

}  // namespace heddle::gui
