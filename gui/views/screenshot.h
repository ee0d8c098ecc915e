#pragma once
// The window as pictures, without a screen: for documentation and tests.

#include <QSize>
#include <QString>
#include <QStringList>

namespace heddle::gui {

class Document;
class MainWindow;

struct ScreenshotRequest {
  QString folder;
  QStringList tabs;  // empty: all
  QString case_id;   // "quad/ddp"; empty: the first
  QString theme;     // part of the file's name
  QSize size{1366, 768};
  QStringList vary;    // one or two axes: a sweep is run first
  double cursor = -1;  // share of the step at which the time cursor stands; < 0: none
};

/// Waits for the run, then writes FOLDER/<tab>-<theme>.png for each tab. What went wrong, or "".
QString take_screenshots(MainWindow& window, Document& document, const ScreenshotRequest& request);

}  // namespace heddle::gui
