#pragma once
// Paints the table of strategies: group titles, step-time bars split by cause, memory bars against
// capacity, verdicts.

#include <QStyledItemDelegate>
#include <functional>

namespace heddle::run {
struct CaseResult;
}

namespace heddle::gui {

class ResultTable;

class BarsDelegate : public QStyledItemDelegate {
 public:
  BarsDelegate(const ResultTable& table, QObject* parent);

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
  /// Of a row of `table`; one that does not fit has a second line that says why.
  static int row_height(const ResultTable& table, int row);

  /// Pixels of a bar for `value`, if `full` fills the inner width of a cell `width` wide.
  static double bar_length(double value, double full, int width);
  static constexpr int kBarMargin = 8;

 private:
  void paint_group(QPainter& painter, const QRect& rect, const QModelIndex& index) const;
  void paint_pinned(QPainter& painter, const QRect& rect, const QRectF& bar, std::size_t index,
                    const std::function<double(const run::CaseResult&)>& length_of) const;
  void paint_time(QPainter& painter, const QRect& rect, std::size_t index) const;
  void paint_reason(QPainter& painter, const QRect& rect, std::size_t index) const;
  void paint_memory(QPainter& painter, const QRect& rect, std::size_t index) const;
  void paint_cell(QPainter& painter, const QRect& rect, const QModelIndex& index) const;

  const ResultTable& table_;
};

}  // namespace heddle::gui
