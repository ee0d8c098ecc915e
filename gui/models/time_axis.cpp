#include "gui/models/time_axis.h"

#include <algorithm>

namespace heddle::gui {
namespace {
constexpr std::size_t kMostHistory = 1000;
}

void TimeAxis::set_bounds(Span bounds, Span first) {
  bounds_ = bounds;
  history_.clear();
  cursor_.reset();
  selection_.reset();
  range_ = fitted(first);
  Q_EMIT range_changed();
  Q_EMIT cursor_changed();
  Q_EMIT selection_changed();
}

/// As long as asked for, if the bounds allow it; moved inside them.
Span TimeAxis::fitted(Span range) const {
  const double whole = bounds_.length();
  const double length = std::clamp(range.length(), std::min(kShortestRange, whole), whole);
  const double begin = std::clamp(range.begin, bounds_.begin, bounds_.end - length);
  return {begin, length == whole ? bounds_.end : begin + length};
}

void TimeAxis::move_to(Span range) {
  if (range == range_) return;
  range_ = range;
  Q_EMIT range_changed();
}

void TimeAxis::show(Span range) {
  const Span next = fitted(range);
  if (next == range_) return;
  if (history_.size() == kMostHistory) history_.erase(history_.begin());
  history_.push_back(range_);
  move_to(next);
}

void TimeAxis::zoom(double factor, double anchor) {
  const double length = std::clamp(range_.length() / factor,
                                   std::min(kShortestRange, bounds_.length()), bounds_.length());
  const double share = range_.length() > 0 ? (anchor - range_.begin) / range_.length() : 0;
  const double begin = anchor - share * length;
  show({begin, begin + length});
}

void TimeAxis::pan(double share) {
  const double by = share * range_.length();
  show({range_.begin + by, range_.end + by});
}

bool TimeAxis::back() {
  if (history_.empty()) return false;
  const Span last = history_.back();
  history_.pop_back();
  move_to(last);
  return true;
}

void TimeAxis::set_cursor(std::optional<double> t) {
  if (t == cursor_) return;
  cursor_ = t;
  Q_EMIT cursor_changed();
}

void TimeAxis::set_selection(std::optional<Span> selection) {
  if (selection == selection_) return;
  selection_ = selection;
  Q_EMIT selection_changed();
}

}  // namespace heddle::gui
