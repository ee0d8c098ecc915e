#pragma once
// Operations of lanes by a part of their title, in the order of time.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "gui/models/lane_set.h"

namespace heddle::gui {

struct LaneMark {
  std::size_t lane = 0;
  LaneBox box;
};

class OpSearch {
 public:
  /// Every word of `text` must begin one in the title, whatever its case; waits are no operations.
  /// "" finds nothing.
  OpSearch(const LaneSet& lanes, const std::string& text);

  const std::vector<LaneMark>& found() const { return found_; }
  /// The first that begins after `t`, else the first of all; backward the last before it, else the
  /// last. Index into found(); none if it is empty.
  std::optional<std::size_t> next(double t, bool forward) const;

 private:
  std::vector<LaneMark> found_;
};

}  // namespace heddle::gui
