#pragma once
// Finds operations by a part of their name: next and previous, and how many there are.

#include <QWidget>
#include <memory>

class QLabel;
class QLineEdit;

namespace heddle::gui {

class LaneSet;
class OpSearch;
struct LaneMark;

class SearchBar : public QWidget {
  Q_OBJECT
 public:
  explicit SearchBar(QWidget* parent);
  ~SearchBar() override;

  /// What is searched; kept until the next call.
  void set_lanes(std::shared_ptr<const LaneSet> lanes);
  /// Shows itself and takes the keyboard.
  void begin();
  void find(const QString& text);
  /// From where the last one was, or from `set_from()`.
  void step(bool forward);
  void set_from(double t) { from_ = t; }

 Q_SIGNALS:
  void found(const LaneMark& mark);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void search();

  QLineEdit* text_;
  QLabel* count_;
  std::shared_ptr<const LaneSet> lanes_;
  std::unique_ptr<OpSearch> search_;
  double from_ = 0;
};

}  // namespace heddle::gui
