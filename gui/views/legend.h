#pragma once
// What the colours of a view mean, in the order in which it stacks them; breaks into lines where it
// has to.

#include <QColor>
#include <QString>
#include <QWidget>
#include <vector>

namespace heddle::gui {

struct LegendEntry {
  QColor color;
  QString text;
  bool hatched = false;
};

class Legend : public QWidget {
 public:
  explicit Legend(QWidget* parent = nullptr);
  void set_entries(std::vector<LegendEntry> entries);
  const std::vector<LegendEntry>& entries() const { return entries_; }

  QSize sizeHint() const override;  // in one line
  QSize minimumSizeHint() const override;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::vector<QRect> places(int width) const;

  std::vector<LegendEntry> entries_;
};

}  // namespace heddle::gui
