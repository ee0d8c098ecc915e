// The program as a user starts it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QImage>
#include <QProcess>
#include <QTemporaryDir>

#include "tests/gui/founding_document.h"

namespace heddle::gui {
namespace {

struct Outcome {
  int code = -1;
  QString err;
  qint64 ms = 0;
};

Outcome start(const QString& program, const QStringList& arguments) {
  QProcess process;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert("HEDDLE_HOME", HEDDLE_SOURCE_DIR);
  process.setProcessEnvironment(environment);
  QElapsedTimer clock;
  clock.start();
  process.start(program, arguments);
  process.waitForFinished(60'000);
  return {process.exitCode(), QString::fromUtf8(process.readAllStandardError()), clock.elapsed()};
}

Outcome gui(const QStringList& arguments) {
  return start(HEDDLE_GUI_PROGRAM, arguments);
}

/// What Qt says where there is no session; nothing else may be said.
QString unexpected(const QString& err) {
  QStringList out;
  for (const QString& line : err.split('\n', Qt::SkipEmptyParts)) {
    const bool known = line.contains("propagateSizeHints") || line.contains("raise()") ||
                       line.contains("XDG_RUNTIME_DIR");
    if (!known) out << line;
  }
  return out.join('\n');
}

const QString kFounding =
    QString::fromStdString(test::source_path("scenarios/mistral-7b-4xa100.json"));

TEST(Program, ShowsAnExampleAndEndsQuietly) {
  QTemporaryDir folder;
  const Outcome done = gui({"--screenshot", folder.path(), "--theme", "light", kFounding});
  EXPECT_EQ(done.code, 0);
  EXPECT_EQ(unexpected(done.err).toStdString(), "");
  const QStringList pictures = QDir(folder.path()).entryList({"*.png"});
  EXPECT_EQ(pictures.size(), 7);  // a tab each
  for (const QString& name : pictures) {
    EXPECT_EQ(QImage(folder.filePath(name)).size(), QSize(1366, 768)) << name.toStdString();
  }
}

TEST(Program, ExplainsWhatItCannotDo) {
  QTemporaryDir folder;
  const QString there = folder.path();
  EXPECT_EQ(gui({"--size", "huge"}).code, 2);
  EXPECT_EQ(gui({"--screenshot", there}).code, 2);
  const Outcome missing = gui({"--screenshot", there, "no-such-file.json"});
  EXPECT_EQ(missing.code, 3);
  EXPECT_THAT(missing.err.toStdString(), testing::HasSubstr("no-such-file.json"));
  const Outcome tab = gui({"--screenshot", there, "--tab", "memry", kFounding});
  EXPECT_EQ(tab.code, 3);
  EXPECT_THAT(tab.err.toStdString(), testing::HasSubstr("memory"));
}

TEST(Program, OpensAMeasurementWithoutAScenario) {
  QTemporaryDir folder;
  const QString report =
      QString::fromStdString(test::source_path("scenarios/measured/fsdp-on-two-cpu-ranks.json"));
  const Outcome done = gui({"--screenshot", folder.path(), "--theme", "dark", report});
  EXPECT_EQ(done.code, 0) << done.err.toStdString();
  EXPECT_EQ(QDir(folder.path()).entryList({"*.png"}), QStringList("measured-dark.png"));
}

/// A headless node needs no desktop to run the command line.
TEST(Program, TheCommandLineLoadsNoQt) {
  QProcess ldd;
  ldd.start("ldd", {QFileInfo(HEDDLE_GUI_PROGRAM).dir().filePath("heddle")});
  ASSERT_TRUE(ldd.waitForFinished());
  const std::string loaded = ldd.readAllStandardOutput().toStdString();
  EXPECT_THAT(loaded, testing::HasSubstr("libc.so"));
  EXPECT_THAT(loaded, testing::Not(testing::HasSubstr("libQt6")));
}

/// Licences: Qt's base and SVG are LGPL; charts and the like are not.
TEST(Program, LoadsNoPartOfQtUnderTheGpl) {
  QProcess ldd;
  ldd.start("ldd", {HEDDLE_GUI_PROGRAM});
  ASSERT_TRUE(ldd.waitForFinished());
  const std::string loaded = ldd.readAllStandardOutput().toStdString();
  EXPECT_THAT(loaded, testing::HasSubstr("libQt6Widgets"));
  for (const char* gpl : {"Charts", "DataVisualization", "VirtualKeyboard", "qcustomplot"}) {
    EXPECT_THAT(loaded, testing::Not(testing::HasSubstr(gpl)));
  }
}

}  // namespace
}  // namespace heddle::gui
