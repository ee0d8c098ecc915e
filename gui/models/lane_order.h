#pragma once
// Which lanes are shown, and in which order: pinned ones first, hidden ones not. Lanes are known by
// group and name, so that a choice outlives another case that has the same.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "gui/models/lane_set.h"

namespace heddle::gui {

class LaneOrder {
 public:
  /// New lanes stand behind the one before them.
  void set_lanes(const std::vector<Lane>& lanes);

  /// Indices of lanes, top first.
  const std::vector<std::size_t>& shown() const { return shown_; }
  std::size_t hidden() const { return lanes_.size() - shown_.size(); }
  bool is_pinned(std::size_t row) const;

  /// By row of shown().
  void toggle_pin(std::size_t row);
  void hide(std::size_t row);
  void show_all();
  /// Takes the place of `to`; what is between moves up or down. Pinned and other rows do not mix.
  void move(std::size_t from, std::size_t to);

 private:
  struct Entry {
    std::pair<std::string, std::string> key;  // group, name
    bool pinned = false;
    bool hidden = false;
  };
  Entry& entry_of(std::size_t row);
  void refresh();

  std::vector<Entry> order_;
  std::vector<std::pair<std::string, std::string>> lanes_;  // of the lanes now
  std::vector<std::size_t> shown_;
};

}  // namespace heddle::gui
