#include "sim/sweep/grid.h"

namespace heddle::sweep {

std::size_t Grid::size() const {
  std::size_t points = 1;
  for (const Axis& axis : axes_) {
    if (points > kMostPoints / axis.values.size()) return kMostPoints + 1;
    points *= axis.values.size();
  }
  return points;
}

PathValues Grid::at(std::size_t point) const {
  PathValues values(axes_.size());
  for (std::size_t i = axes_.size(); i-- > 0;) {
    const Axis& axis = axes_[i];
    values[i] = {axis.path, axis.values[point % axis.values.size()]};
    point /= axis.values.size();
  }
  return values;
}

}  // namespace heddle::sweep
