#pragma once
// Names and values in two columns under headings, painted, so that it can follow the pointer.

#include <QColor>
#include <QString>
#include <QWidget>
#include <vector>

namespace heddle::gui {

struct Fact {
  QString name;  // a heading if `value` is empty
  QString value;
  QColor swatch = {};  // a square before the name, if valid
  QString tip = {};
};

class FactList : public QWidget {
 public:
  explicit FactList(QWidget* parent);
  void set_facts(std::vector<Fact> facts);
  const std::vector<Fact>& facts() const { return facts_; }
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  int line() const;
  std::vector<Fact> facts_;
};

}  // namespace heddle::gui
