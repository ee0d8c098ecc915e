#pragma once
// Lanes over time and what their boxes are called: predicted ones of a case, or those of a report
// with measured ones below.

#include <string>
#include <vector>

#include "gui/models/lane_index.h"

namespace heddle::gui {

struct Lane {
  std::string group;     // "4 equal ranks"; neighbours of one group stand under one title
  std::string name;      // "compute"
  std::size_t rank = 0;  // class in RunResult::ranks, or rank of a report
  LaneIndex index;
};

class LaneSet {
 public:
  LaneSet() = default;
  LaneSet(const LaneSet&) = default;
  LaneSet& operator=(const LaneSet&) = default;
  virtual ~LaneSet() = default;

  virtual const std::vector<Lane>& lanes() const = 0;
  /// "q_proj": what stands on the box.
  virtual std::string name(const Lane& lane, const LaneBox& box) const = 0;
  /// "backward, layer 3, q_proj"
  virtual std::string title(const Lane& lane, const LaneBox& box) const = 0;
  /// What else is known of it; may be empty.
  virtual std::string details(const Lane& lane, const LaneBox& box) const = 0;
};

}  // namespace heddle::gui
