#pragma once
// Paints a row of errors: a bar from the middle, orange to the right where too much was predicted,
// blue to the left where too little, ticks at the tolerance, and the sign in figures beside it.

#include <QStyledItemDelegate>

namespace heddle::gui {

class ErrorTable;

class ErrorDelegate : public QStyledItemDelegate {
 public:
  ErrorDelegate(const ErrorTable& table, QObject* parent);

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
  /// Where an error's bar ends, in [-1, 1] of half the bar: the tolerance is in the middle of it.
  static double bar_share(double error, double tolerance);
  /// Pixels of the column of errors besides its figures.
  static int bar_width();

 private:
  void paint_bar(QPainter& painter, const QRect& rect, const QModelIndex& index) const;

  const ErrorTable& table_;
};

}  // namespace heddle::gui
