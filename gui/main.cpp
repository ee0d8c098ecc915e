// heddle-gui [FILE...]: the desktop. heddle-gui --screenshot DIR FILE: its views as pictures.

#include <QApplication>
#include <QCommandLineParser>
#include <QStandardPaths>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>

#include "gui/models/document.h"
#include "gui/views/main_window.h"
#include "gui/views/screenshot.h"
#include "hw_models/catalog.h"
#include "sim/base/version.h"
#include "sim/cli/exit_code.h"

namespace {

using heddle::cli::ExitCode;
namespace gui = heddle::gui;

std::string home_folder() {
  const char* home = std::getenv("HEDDLE_HOME");
  return home != nullptr && *home != '\0' ? home : HEDDLE_DEFAULT_HOME;
}

int fail(ExitCode code, const QString& text) {
  std::cerr << "heddle-gui: " << text.toStdString() << '\n';
  return static_cast<int>(code);
}

/// Before there is an application: pictures need no screen.
void choose_platform(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const bool pictures = std::string(argv[i]).rfind("--screenshot", 0) == 0;
    if (pictures && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) {
      qputenv("QT_QPA_PLATFORM", "offscreen");
    }
  }
}

void add_options(QCommandLineParser& parser) {
  parser.setApplicationDescription("Explore what-ifs of a training job's memory and step time.");
  parser.addHelpOption();
  parser.addVersionOption();
  parser.addPositionalArgument("file", "A scenario, or a validator's report.", "[FILE]...");
  parser.addOptions({
      {"theme", "dark, light or system.", "name", "system"},
      {"scale", "Size of text, 1 as usual.", "factor", "1"},
      {"screenshot", "Write pictures of the views into DIR and exit.", "DIR"},
      {"tab", "Only this view; may be repeated.", "name"},
      {"case", "The case to show, as fabric/strategy.", "id"},
      {"size", "Of the window.", "WxH", "1366x768"},
      {"vary", "Run a sweep for its picture; once or twice, as heddle sweep.", "path=values"},
      {"cursor", "Put the time cursor at this share of the step.", "share", "-1"},
  });
}

std::optional<QSize> parse_size(const QString& text) {
  const QStringList parts = text.split('x');
  if (parts.size() != 2) return std::nullopt;
  const QSize size(parts[0].toInt(), parts[1].toInt());
  const bool sane = size.width() >= 320 && size.height() >= 240 && size.width() <= 16384 &&
                    size.height() <= 16384;
  return sane ? std::optional(size) : std::nullopt;
}

std::optional<gui::ThemeKind> parse_theme(const QString& text) {
  if (text == "dark") return gui::ThemeKind::kDark;
  if (text == "light") return gui::ThemeKind::kLight;
  if (text == "system") return gui::ThemeKind::kSystem;
  return std::nullopt;
}

QString settings_file() {
  const QString folder = QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation);
  return folder.isEmpty() ? QString() : folder + "/window.ini";
}

int run_program(const QCommandLineParser& parser) {
  const auto size = parse_size(parser.value("size"));
  const auto kind = parse_theme(parser.value("theme"));
  if (!size) return fail(ExitCode::kUsage, "--size: write WIDTHxHEIGHT, for example 1366x768");
  if (!kind) return fail(ExitCode::kUsage, "--theme: dark, light or system");
  const QStringList files = parser.positionalArguments();
  const std::string home = home_folder();
  const auto catalog = heddle::hw_models::open_catalog(home + "/hw_models");
  gui::Document document(*catalog);
  const bool pictures = parser.isSet("screenshot");  // look the same whatever was remembered
  gui::MainWindow window(document, {home, *kind, parser.value("scale").toDouble(),
                                    pictures ? QString() : settings_file()});
  if (parser.isSet("size") || pictures) window.resize(*size);
  for (const QString& file : files) window.open(file);
  if (!pictures) {
    window.show();
    return QApplication::exec();
  }
  if (files.isEmpty()) return fail(ExitCode::kUsage, "--screenshot needs a scenario");
  const QString problem = gui::take_screenshots(
      window, document,
      {parser.value("screenshot"), parser.values("tab"), parser.value("case"),
       parser.value("theme"), *size, parser.values("vary"), parser.value("cursor").toDouble()});
  return problem.isEmpty() ? 0 : fail(ExitCode::kBadInput, problem);
}

}  // namespace

int main(int argc, char** argv) {
  choose_platform(argc, argv);
  QApplication app(argc, argv);
  QApplication::setApplicationName("heddle-gui");
  QApplication::setApplicationVersion(QString::fromStdString(std::string(heddle::kVersion)));
  try {
    QCommandLineParser parser;
    add_options(parser);
    parser.process(app);
    return run_program(parser);
  } catch (const std::exception& error) {
    return fail(ExitCode::kInternal, QString("internal error, please report it: ") + error.what());
  }
}
