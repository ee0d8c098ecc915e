#pragma once
// The load of every link over time: payload bytes per second in the link's direction, a step
// function that holds until its next sample.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gui/models/span.h"
#include "sim/engine/run_result.h"
#include "sim/fabric/fabric.h"

namespace heddle::gui {

struct LoadPoint {
  std::int64_t time = 0;  // ps
  std::int64_t load = 0;  // bytes per second
};

class LinkSeries {
 public:
  LinkSeries() = default;
  LinkSeries(const fabric::Fabric& fabric, const std::vector<engine::LinkSample>& samples);

  std::size_t link_count() const { return points_.size(); }
  const std::vector<LoadPoint>& points(fabric::LinkId link) const { return points_[link.index()]; }
  std::int64_t load_at(fabric::LinkId link, std::int64_t t) const;
  /// Of the capacity; above 1 where more is asked of a link than it carries.
  double share_at(fabric::LinkId link, std::int64_t t) const;
  /// Mean share of the capacity over `range`.
  double mean_share(fabric::LinkId link, Span range) const;
  /// Largest load within each of `columns` equal parts of `range`.
  std::vector<std::int64_t> columns(fabric::LinkId link, Span range, std::size_t columns) const;

 private:
  std::vector<std::vector<LoadPoint>> points_;  // by link
  std::vector<std::int64_t> capacity_;
};

}  // namespace heddle::gui
