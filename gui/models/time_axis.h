#pragma once
// The one time axis that timeline, memory, link loads and fabric share: what is visible, where the
// cursor is, what is selected, and the way back.

#include <QObject>
#include <optional>
#include <vector>

#include "gui/models/span.h"

namespace heddle::gui {

class TimeAxis : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  /// What there is to see; shows `first` of it and forgets history, cursor and selection.
  void set_bounds(Span bounds, Span first);
  const Span& bounds() const { return bounds_; }
  const Span& range() const { return range_; }
  const std::optional<double>& cursor() const { return cursor_; }
  const std::optional<Span>& selection() const { return selection_; }

  /// Shows `range`, cut to the bounds; remembers what was shown.
  void show(Span range);
  /// By `factor` around `anchor`, which stays where it is unless the bounds are met.
  void zoom(double factor, double anchor);
  /// By a share of what is visible.
  void pan(double share);
  void show_all() { show(bounds_); }
  /// What was shown before, exactly; false if nothing was.
  bool back();

  void set_cursor(std::optional<double> t);
  void set_selection(std::optional<Span> selection);

 Q_SIGNALS:
  void range_changed();
  void cursor_changed();
  void selection_changed();

 private:
  Span fitted(Span range) const;
  void move_to(Span range);

  Span bounds_;
  Span range_;
  std::optional<double> cursor_;
  std::optional<Span> selection_;
  std::vector<Span> history_;
};

/// Shortest visible range, ps.
inline constexpr double kShortestRange = 1000;

}  // namespace heddle::gui
