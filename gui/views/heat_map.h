#pragma once
// One figure over two settings: a cell per point, colder is better, hatched where it does not fit.
// A click opens the point; arrows and Enter do the same.

#include <QWidget>
#include <optional>
#include <string>
#include <vector>

namespace heddle::gui {

class SweepAnswer;

/// What a view of a sweep shows of it.
struct SweepChoice {
  std::string case_id;     // may be kBestCase
  std::size_t column = 0;  // into SweepAnswer::columns()
};

class HeatMap : public QWidget {
  Q_OBJECT
 public:
  explicit HeatMap(QWidget* parent);

  /// Null: nothing. Kept until the next call; asked again at every repaint.
  void set_answer(const SweepAnswer* answer, SweepChoice choice);
  /// Of a point, in pixels.
  QRectF cell_rect(std::size_t point) const;
  std::optional<std::size_t> point_at(const QPointF& at) const;
  /// "micro_batch = 2, ...: 411 ms, fits": tips, and what is said of the chosen cell.
  QString words(std::size_t point) const;
  /// Labels along both axes as painted; none overlap.
  std::vector<QRectF> label_boxes() const;

 Q_SIGNALS:
  void opened(std::size_t point);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct Label {
    QRectF box;
    QString text;
    Qt::Alignment alignment;
  };
  std::size_t columns() const;
  std::size_t rows() const;
  QRectF plot_rect() const;
  void find_range();
  std::vector<Label> labels() const;
  QColor color_of(double value) const;
  QString cell_text(std::size_t point) const;
  void paint_cell(QPainter& painter, std::size_t point) const;
  void paint_labels(QPainter& painter) const;
  void paint_scale(QPainter& painter) const;

  const SweepAnswer* answer_ = nullptr;
  SweepChoice choice_;
  double low_ = 0;
  double high_ = 0;
  std::size_t at_ = 0;  // of the keyboard
};

}  // namespace heddle::gui
