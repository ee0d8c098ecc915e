#include "gui/views/theme.h"

#include <gtest/gtest.h>

#include <QApplication>

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
    for (const QColor& text : {t.text, t.muted, t.accent, t.good, t.warn, t.bad}) {
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

TEST(Theme, ContrastIsThatOfWcag) {
  EXPECT_NEAR(contrast(Qt::black, Qt::white), 21, 1e-9);
  EXPECT_NEAR(contrast(QColor(0x77, 0x77, 0x77), Qt::white), 4.48, 0.005);  // the known border case
}

}  // namespace
}  // namespace heddle::gui
