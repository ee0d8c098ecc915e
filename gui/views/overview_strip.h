#pragma once
// The whole run in one strip; the bright part is what the plots show. Drag it, or click elsewhere.

#include <QWidget>
#include <memory>

namespace heddle::gui {

class CaseView;
class TimeAxis;

class OverviewStrip : public QWidget {
 public:
  OverviewStrip(TimeAxis& axis, QWidget* parent);
  void set_view(std::shared_ptr<const CaseView> view);
  void set_gutter(int pixels);
  QSize sizeHint() const override { return {200, 30}; }
  QSize minimumSizeHint() const override { return {100, 30}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;

 private:
  QRect strip() const;
  double x_of(double t) const;
  void centre_on(double x);

  TimeAxis& axis_;
  std::shared_ptr<const CaseView> view_;
  int gutter_ = 0;
};

}  // namespace heddle::gui
