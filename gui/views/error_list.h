#pragma once
// The table of a report's errors on screen.

#include <QTableView>
#include <memory>

namespace heddle::gui {

class ErrorTable;
struct ValidationReport;

class ErrorList : public QTableView {
 public:
  explicit ErrorList(QWidget* parent);
  void set_report(const std::shared_ptr<const ValidationReport>& report);
  const ErrorTable& table() const { return *table_; }
  /// All columns without scrolling.
  int wanted_width() const { return wanted_width_; }

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void fit();

  ErrorTable* table_;
  int wanted_width_ = 0;
};

}  // namespace heddle::gui
