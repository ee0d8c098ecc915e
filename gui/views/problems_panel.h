#pragma once
// Everything the reader says of the scenario, in its own words: file, line, place, reason, hint.

#include <QPlainTextEdit>

namespace heddle::gui {

class Document;

class ProblemsPanel : public QPlainTextEdit {
  Q_OBJECT
 public:
  ProblemsPanel(Document& document, QWidget* parent);
  int error_count() const { return errors_; }

 private:
  void refresh();
  Document& document_;
  int errors_ = 0;
};

}  // namespace heddle::gui
