#include "gui/models/link_series.h"

#include <algorithm>
#include <cmath>

namespace heddle::gui {

LinkSeries::LinkSeries(const fabric::Fabric& fabric, const std::vector<engine::LinkSample>& samples)
    : points_(fabric.links().size()) {
  for (const fabric::Link& link : fabric.links()) {
    capacity_.push_back(link.capacity.bytes_per_second);
  }
  for (const engine::LinkSample& sample : samples) {
    points_[sample.link.index()].push_back({sample.time.ps, sample.load.bytes_per_second});
  }
}

std::int64_t LinkSeries::load_at(fabric::LinkId link, std::int64_t t) const {
  const auto& points = points_[link.index()];
  const auto after = std::partition_point(points.begin(), points.end(),
                                          [t](const LoadPoint& p) { return p.time <= t; });
  return after == points.begin() ? 0 : std::prev(after)->load;
}

double LinkSeries::share_at(fabric::LinkId link, std::int64_t t) const {
  const std::int64_t capacity = capacity_[link.index()];
  if (capacity <= 0) return 0;
  return static_cast<double>(load_at(link, t)) / static_cast<double>(capacity);
}

double LinkSeries::mean_share(fabric::LinkId link, Span range) const {
  const auto& points = points_[link.index()];
  const auto capacity = static_cast<double>(capacity_[link.index()]);
  if (points.empty() || capacity <= 0 || range.length() <= 0) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Span held{static_cast<double>(points[i].time),
                    i + 1 < points.size() ? static_cast<double>(points[i + 1].time) : range.end};
    if (held.begin < range.end && held.end > range.begin) {
      sum += intersect(held, range).length() * static_cast<double>(points[i].load);
    }
  }
  return sum / range.length() / capacity;
}

std::vector<std::int64_t> LinkSeries::columns(fabric::LinkId link, Span range,
                                              std::size_t columns) const {
  const auto& points = points_[link.index()];
  std::vector<std::int64_t> out(columns, 0);
  const double step = range.length() / static_cast<double>(columns);
  const auto index_after = [&points](std::int64_t t) {
    return static_cast<std::size_t>(
        std::partition_point(points.begin(), points.end(),
                             [t](const LoadPoint& p) { return p.time <= t; }) -
        points.begin());
  };
  std::size_t begin = index_after(std::llround(range.begin));
  for (std::size_t x = 0; x < columns; ++x) {
    const std::size_t end =
        index_after(std::llround(range.begin + static_cast<double>(x + 1) * step));
    for (std::size_t i = begin == 0 ? 0 : begin - 1; i < end; ++i) {
      out[x] = std::max(out[x], points[i].load);
    }
    begin = end;
  }
  return out;
}

}  // namespace heddle::gui
