#include "gui/views/theme.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <algorithm>
#include <array>
#include <cmath>

namespace heddle::gui {
namespace {

class Palettes : public testing::TestWithParam<ThemeKind> {
 protected:
  void SetUp() override { apply_theme(*qApp, GetParam(), 1); }
  void TearDown() override { apply_theme(*qApp, ThemeKind::kDark, 1); }
};

TEST_P(Palettes, TextIsReadableOnEveryGround) {
  const Theme& t = theme();
  for (const QColor& ground : {t.window, t.panel, t.raised}) {
    for (const QColor& text : {t.text, t.muted, t.accent, t.good, t.warn, t.bad, t.over, t.under}) {
      EXPECT_GE(contrast(text, ground), 4.5)
          << text.name().toStdString() << " on " << ground.name().toStdString();
    }
  }
  EXPECT_GE(contrast(t.on_accent, t.accent), 4.5);
}

TEST_P(Palettes, LabelsAreReadableOnTheirBoxes) {
  for (const QColor& paint : theme().paints) EXPECT_GE(contrast(text_on(paint), paint), 4.5);
}

INSTANTIATE_TEST_SUITE_P(Both, Palettes, testing::Values(ThemeKind::kDark, ThemeKind::kLight));

using Linear = std::array<double, 3>;

/// sRGB without its gamma.
Linear linear(const QColor& color) {
  const auto part = [](double v) {
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  };
  return {part(color.redF()), part(color.greenF()), part(color.blueF())};
}

/// CIE L*a*b* under D65.
Linear lab(const Linear& c) {
  const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
  const double x = f((0.4124 * c[0] + 0.3576 * c[1] + 0.1805 * c[2]) / 0.95047);
  const double y = f(0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]);
  const double z = f((0.0193 * c[0] + 0.1192 * c[1] + 0.9505 * c[2]) / 1.08883);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

using Matrix = std::array<Linear, 3>;
/// Machado, Oliveira and Fernandes (2009), severity 1: as others see, without red, green or blue
/// cones.
constexpr std::array<Matrix, 4> kVisions{{
    {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {{{0.152286, 1.052583, -0.204868},
      {0.114503, 0.786281, 0.099216},
      {-0.003882, -0.048116, 1.051998}}},
    {{{0.367322, 0.860646, -0.227968},
      {0.280085, 0.672501, 0.047413},
      {-0.011820, 0.042940, 0.968881}}},
    {{{1.255528, -0.076749, -0.178779},
      {-0.078411, 0.930809, 0.147602},
      {0.004733, 0.691367, 0.303900}}},
}};

Linear seen(const QColor& color, const Matrix& vision) {
  const Linear rgb = linear(color);
  Linear out{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) out[i] += vision[i][j] * rgb[j];
    out[i] = std::clamp(out[i], 0.0, 1.0);
  }
  return lab(out);
}

template <std::size_t N>
void expect_apart(const std::array<QColor, N>& colors) {
  constexpr double kLeast = 12;  // CIE76; 2.3 is just noticed
  for (const Matrix& vision : kVisions) {
    for (std::size_t i = 0; i < N; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const Linear a = seen(colors[i], vision);
        const Linear b = seen(colors[j], vision);
        EXPECT_GT(std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]), kLeast)
            << i << " and " << j << ", vision " << &vision - kVisions.data();
      }
    }
  }
}

TEST_P(Palettes, WhatIsStackedIsToldApartWithoutColourVision) {
  expect_apart(theme().layers);
  expect_apart(theme().parts);
}

TEST(Theme, ContrastIsThatOfWcag) {
  EXPECT_NEAR(contrast(Qt::black, Qt::white), 21, 1e-9);
  EXPECT_NEAR(contrast(QColor(0x77, 0x77, 0x77), Qt::white), 4.48, 0.005);  // the known border case
}

}  // namespace
}  // namespace heddle::gui
